/** Completion for PowerShell, on every system. */
import type { Command } from '../../command.ts';
import { argumentOffers, factsOf, firstChoices, globalOptionInfos, valueOptions } from './command-lists.ts';

/** In PowerShell's single quotes an apostrophe is doubled. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const list = (words: readonly string[]): string => `@(${words.map(quoted).join(', ')})`;

const commandEntry = (command: Command): string =>
  `    ${quoted(command.name)} = @{ Options = ${list(factsOf(command).map(({ word }) => word))}; First = ${list(firstChoices(command))}; Paths = $${argumentOffers(command) !== 'nothing'} }`;

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
${values.map(({ word, choices }) => `    ${quoted(word)} = ${list(choices)}`).join('\n')}
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
