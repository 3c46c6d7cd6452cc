/** `linkshot completion`: prints the completion script of a shell. */
import { type Command, command } from '../command-definition.ts';
import { bashCompletion, fishCompletion, powershellCompletion, zshCompletion } from '../help/completion-scripts.ts';

const SHELLS = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
} as const;

/** Takes the table as a function: the table contains this command too. */
export const completionCommand = (commands: () => readonly Command[]): Command =>
  command({
    name: 'completion',
    summary: 'print the completion script of a shell',
    group: 'Linkshot itself',
    arguments: [{ name: 'SHELL', summary: 'the shell', count: 'one', choices: Object.keys(SHELLS) }],
    options: {},
    description: ['Prints a script; its first line says where to put it. Print it again after an update.'],
    json: ['{"shell","script"}'],
    examples: [
      { words: 'completion bash >> ~/.bashrc', does: 'bash, permanently' },
      { words: 'completion fish > ~/.config/fish/completions/linkshot.fish', does: 'fish, permanently' },
    ],
    run: async ({ words }, { report }) => {
      const shell = words[0] as keyof typeof SHELLS;
      const script = SHELLS[shell](commands());
      report.say({ shell, script }, script.trimEnd());
    },
  });
