/** Completion for fish, with summaries. */
import type { Command } from '../../command.ts';
import { argumentOffers, factsOf, firstChoices, globalOptionInfos, type OptionInfo } from './command-lists.ts';

/** In fish's single quotes only backslash and apostrophe are special. */
const quoted = (text: string): string => `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;

const line = (parts: readonly string[]): string => ['complete -c linkshot', ...parts].join(' ');

const optionLine = (condition: readonly string[], { word, short, summary, takesValue, choices, offers }: OptionInfo) =>
  line([
    ...condition,
    `-l ${word.slice(2)}`,
    ...(short ? [`-s ${short.slice(1)}`] : []),
    ...(takesValue ? ['-r'] : []),
    ...(choices.length > 0 ? [`-f -a ${quoted(choices.join(' '))}`] : []),
    ...(takesValue && offers === 'files' ? ['-F'] : []),
    ...(takesValue && offers === 'folders' ? [`-f -a '(__fish_complete_directories)'`] : []),
    `-d ${quoted(summary)}`,
  ]);

const commandLines = (command: Command): readonly string[] => {
  const inside = [`-n ${quoted(`__fish_seen_subcommand_from ${command.name}`)}`];
  const choices = firstChoices(command);
  const offers = argumentOffers(command);
  return [
    line([`-n '__fish_use_subcommand'`, `-a ${command.name}`, `-d ${quoted(command.summary)}`]),
    ...(choices.length > 0 ? [line([...inside, `-a ${quoted(choices.join(' '))}`])] : []),
    ...(offers === 'files' ? [line([...inside, '-F'])] : []),
    ...(offers === 'folders' ? [line([...inside, `-a '(__fish_complete_directories)'`])] : []),
    ...factsOf(command).map((facts) => optionLine(inside, facts)),
  ];
};

export const fishCompletion = (commands: readonly Command[]): string =>
  [
    '# Completion of linkshot for fish. Write it to ~/.config/fish/completions/linkshot.fish:',
    '#   linkshot completion fish > ~/.config/fish/completions/linkshot.fish',
    line(['-f']),
    ...globalOptionInfos().map((facts) => optionLine([], facts)),
    ...commands.flatMap(commandLines),
    '',
  ].join('\n');
