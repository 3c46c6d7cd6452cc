/** Completion for bash: one function that finds the command among the words and offers the possible next words. */
import type { Command } from '../../command.ts';
import {
  argumentOffers,
  factsOf,
  firstChoices,
  globalOptionInfos,
  type OptionInfo,
  quoted,
  valueOptions,
} from './command-lists.ts';

const complete = (words: readonly string[]): string =>
  `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$word"))`;

const valueCase = ({ word, choices, offers }: OptionInfo): string => {
  const files = offers === 'files' ? '_linkshot_paths -f' : offers === 'folders' ? '_linkshot_paths -d' : ':';
  return `    ${word}) ${choices.length > 0 ? complete(choices) : files}; return ;;`;
};

const commandCase = (command: Command): string => {
  const options = factsOf(command).map(({ word }) => word);
  const offers = argumentOffers(command);
  const choices = firstChoices(command);
  return [
    `    ${command.name})`,
    `      options+=${quoted(options.length > 0 ? ` ${options.join(' ')}` : '')}`,
    ...(choices.length > 0 ? [`      ((given == 0)) && first=${quoted(choices.join(' '))}`] : []),
    ...(offers === 'nothing' ? [] : [`      paths=${offers === 'files' ? '-f' : '-d'}`]),
    '      ;;',
  ].join('\n');
};

export const bashCompletion = (commands: readonly Command[]): string => {
  const values = valueOptions(commands);
  const words = globalOptionInfos().map(({ word }) => word);
  return `# Completion of linkshot for bash. Put into ~/.bashrc:  eval "$(linkshot completion bash)"

_linkshot_paths() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$word"))
}

_linkshot() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}"
  local command='' given=0 at first='' paths=''
  local options=${quoted(words.join(' '))}
  COMPREPLY=()
  case "$before" in
${values.map(valueCase).join('\n')}
  esac
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      ${values.map(({ word }) => word).join('|')}) ((at++)) ;;
      -?*) ;;
      *) if [[ -z $command ]]; then command="\${COMP_WORDS[at]}"; else ((given++)); fi ;;
    esac
  done
  case "$command" in
    '') first=${quoted(commands.map(({ name }) => name).join(' '))} ;;
${commands.map(commandCase).join('\n')}
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ -n $first ]]; then
    COMPREPLY=($(compgen -W "$first" -- "$word"))
  elif [[ -n $paths ]]; then
    _linkshot_paths "$paths"
  fi
}

complete -F _linkshot linkshot
`;
};
