/** Generates the completion scripts of bash, zsh, fish and PowerShell from the descriptions of the commands. */
import { type Argument, type Command, GLOBAL_OPTIONS, type Offers, type Option } from '../command-definition.ts';

interface OptionInfo {
  /** With its dashes. */
  readonly word: string;
  readonly short: string | undefined;
  readonly summary: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly offers: Offers;
}

const optionInfo = ([name, option]: readonly [string, Option<unknown>]): OptionInfo => ({
  word: `--${name}`,
  short: option.short && `-${option.short}`,
  summary: option.summary,
  takesValue: option.value !== null && option.withoutValue === undefined,
  choices: option.choices ?? [],
  offers: option.offers ?? 'nothing',
});

const globalOptionInfos = (): readonly OptionInfo[] => Object.entries(GLOBAL_OPTIONS).map(optionInfo);

const factsOf = (command: Command): readonly OptionInfo[] => Object.entries(command.options).map(optionInfo);

/** Options with a value, of all commands, without duplicates. */
const valueOptions = (commands: readonly Command[]): readonly OptionInfo[] => [
  ...new Map(
    [...globalOptionInfos(), ...commands.flatMap(factsOf)]
      .filter(({ takesValue }) => takesValue)
      .map((facts) => [facts.word, facts] as const),
  ).values(),
];

/** Choices of the first argument; only first arguments have a fixed choice. */
const firstChoices = ({ arguments: wanted }: Command): readonly string[] => wanted[0]?.choices ?? [];

const argumentOffers = ({ arguments: wanted }: Command): Offers =>
  wanted.find((argument: Argument) => argument.offers !== undefined)?.offers ?? 'nothing';

/** Quoted for POSIX-like shells; an apostrophe is written outside of the quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const complete = (words: readonly string[]): string =>
  `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$word"))`;

const valueCase = ({ word, choices, offers }: OptionInfo): string => {
  const files = offers === 'files' ? '_linkshot_paths -f' : offers === 'folders' ? '_linkshot_paths -d' : ':';
  return `    ${word}) ${choices.length > 0 ? complete(choices) : files}; return ;;`;
};

const bashCase = (command: Command): string => {
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

/** Completion for bash: one function that finds the command among the words and offers the possible next words. */
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
${commands.map(bashCase).join('\n')}
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

const zshCase = (command: Command): string => {
  const choices = firstChoices(command);
  const offers = argumentOffers(command);
  const first = choices.length > 0 ? [quoted(`1:word:(${choices.join(' ')})`)] : [];
  const rest = offers === 'nothing' ? [] : [quoted(`*:path:${actionOf({ choices: [], offers })}`)];
  const specs = [...factsOf(command).map(optionSpec), ...first, ...rest];
  return `    ${command.name}) _arguments $everywhere ${specs.join(' ')} ;;`;
};

/** Completion for zsh, with summaries. */
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
${commands.map(zshCase).join('\n')}
  esac
}

compdef _linkshot linkshot
`;

/** In fish's single quotes only backslash and apostrophe are special. */
const fishQuoted = (text: string): string => `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;

const line = (parts: readonly string[]): string => ['complete -c linkshot', ...parts].join(' ');

const optionLine = (condition: readonly string[], { word, short, summary, takesValue, choices, offers }: OptionInfo) =>
  line([
    ...condition,
    `-l ${word.slice(2)}`,
    ...(short ? [`-s ${short.slice(1)}`] : []),
    ...(takesValue ? ['-r'] : []),
    ...(choices.length > 0 ? [`-f -a ${fishQuoted(choices.join(' '))}`] : []),
    ...(takesValue && offers === 'files' ? ['-F'] : []),
    ...(takesValue && offers === 'folders' ? [`-f -a '(__fish_complete_directories)'`] : []),
    `-d ${fishQuoted(summary)}`,
  ]);

const commandLines = (command: Command): readonly string[] => {
  const inside = [`-n ${fishQuoted(`__fish_seen_subcommand_from ${command.name}`)}`];
  const choices = firstChoices(command);
  const offers = argumentOffers(command);
  return [
    line([`-n '__fish_use_subcommand'`, `-a ${command.name}`, `-d ${fishQuoted(command.summary)}`]),
    ...(choices.length > 0 ? [line([...inside, `-a ${fishQuoted(choices.join(' '))}`])] : []),
    ...(offers === 'files' ? [line([...inside, '-F'])] : []),
    ...(offers === 'folders' ? [line([...inside, `-a '(__fish_complete_directories)'`])] : []),
    ...factsOf(command).map((facts) => optionLine(inside, facts)),
  ];
};

/** Completion for fish, with summaries. */
export const fishCompletion = (commands: readonly Command[]): string =>
  [
    '# Completion of linkshot for fish. Write it to ~/.config/fish/completions/linkshot.fish:',
    '#   linkshot completion fish > ~/.config/fish/completions/linkshot.fish',
    line(['-f']),
    ...globalOptionInfos().map((facts) => optionLine([], facts)),
    ...commands.flatMap(commandLines),
    '',
  ].join('\n');

/** In PowerShell's single quotes an apostrophe is doubled. */
const powershellQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const list = (words: readonly string[]): string => `@(${words.map(powershellQuoted).join(', ')})`;

const commandEntry = (command: Command): string =>
  `    ${powershellQuoted(command.name)} = @{ Options = ${list(factsOf(command).map(({ word }) => word))}; First = ${list(firstChoices(command))}; Paths = $${argumentOffers(command) !== 'nothing'} }`;

/** Completion for PowerShell, on every system. */
export const powershellCompletion = (commands: readonly Command[]): string => {
  const values = valueOptions(commands);
  return `# Completion of linkshot for PowerShell. Put into $PROFILE:
#   linkshot completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName linkshot -ScriptBlock {
  param($word, $ast, $position)
  $commands = @{
${commands.map(commandEntry).join('\n')}
  }
  $values = @{
${values.map(({ word, choices }) => `    ${powershellQuoted(word)} = ${list(choices)}`).join('\n')}
  }
  $options = ${list(globalOptionInfos().map(({ word }) => word))}
  $typed = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { $_.ToString() })
  $command = $null
  $given = 0
  for ($at = 1; $at -lt $typed.Count; $at++) {
    if ($values.ContainsKey($typed[$at])) { $at++ }
    elseif ($typed[$at] -like '-?*') { }
    elseif (-not $command) { $command = $typed[$at] }
    else { $given++ }
  }
  $before = if ($typed.Count -gt 1) { $typed[-1] } else { '' }
  if ($values.ContainsKey($before)) { $offered = $values[$before] }
  elseif (-not $command -and $word -notlike '-*') { $offered = $commands.Keys | Sort-Object }
  elseif ($command -and -not $commands.ContainsKey($command)) { return }
  elseif ($word -like '-*') { $offered = $options + $(if ($command) { $commands[$command].Options } else { @() }) }
  elseif ($given -eq 0 -and $commands[$command].First.Count -gt 0) { $offered = $commands[$command].First }
  else { return }
  $offered | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
};
