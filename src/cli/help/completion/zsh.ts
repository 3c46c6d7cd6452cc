/** Completion for zsh, with summaries. */
import type { Command } from '../../command.ts';
import { argumentOffers, factsOf, firstChoices, globalOptionInfos, type OptionInfo, quoted } from './command-lists.ts';

/** Colons and brackets are special to `_arguments`. */
const plain = (text: string): string => text.replace(/[[\]:\\]/g, (character) => `\\${character}`);

const actionOf = ({ choices, offers }: Pick<OptionInfo, 'choices' | 'offers'>): string => {
  if (choices.length > 0) return `(${choices.join(' ')})`;
  return offers === 'files' ? '_files' : offers === 'folders' ? '_files -/' : ' ';
};

const optionSpec = (facts: OptionInfo): string => {
  const value = facts.takesValue ? `:value:${actionOf(facts)}` : '';
  const spec = `${facts.word}[${plain(facts.summary)}]${value}`;
  return quoted(spec);
};

const commandCase = (command: Command): string => {
  const choices = firstChoices(command);
  const offers = argumentOffers(command);
  const first = choices.length > 0 ? [quoted(`1:word:(${choices.join(' ')})`)] : [];
  const rest = offers === 'nothing' ? [] : [quoted(`*:path:${actionOf({ choices: [], offers })}`)];
  const specs = [...factsOf(command).map(optionSpec), ...first, ...rest];
  return `    ${command.name}) _arguments $everywhere ${specs.join(' ')} ;;`;
};

export const zshCompletion = (commands: readonly Command[]): string => `#compdef linkshot
# Completion of linkshot for zsh. Put into ~/.zshrc, after compinit:  eval "$(linkshot completion zsh)"

_linkshot() {
  local -a commands everywhere
  local word command=''
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${plain(summary)}`)}`).join('\n')}
  )
  everywhere=(
${globalOptionInfos()
  .map((facts) => `    ${optionSpec(facts)}`)
  .join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    _arguments $everywhere
    return
  fi
  command="$words[2]"
  words=("\${(@)words[2,-1]}")
  ((CURRENT--))
  case "$command" in
${commands.map(commandCase).join('\n')}
  esac
}

compdef _linkshot linkshot
`;
