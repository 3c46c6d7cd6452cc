/** Hook that asks the host one question and keeps its answer. */
import { useEffect, useState } from 'react';
import type { Result } from '../../api/errors.ts';
import type { CommandInput, CommandName, CommandOutput, ExactInput } from '../../ipc/protocol/command-table.ts';
import { useAppStores } from './use-app-stores.tsx';

interface HostAnswer<K extends CommandName> {
  /** The last one; null until the host has answered. */
  readonly answer: Result<CommandOutput<K>> | null;
  readonly askAgain: () => void;
}

/**
 * Asks again when the input changes, or `version`: what the answer depends on besides. Only the newest answer counts.
 * Input null: asks nothing for now, and keeps the last answer.
 */
export const useHostAnswer = <K extends CommandName, I extends CommandInput<K>>(
  command: K,
  input: ExactInput<K, I> | null,
  version = 0,
): HostAnswer<K> => {
  const { engine } = useAppStores();
  const [answer, setAnswer] = useState<HostAnswer<K>['answer']>(null);
  const [repeats, setRepeats] = useState(0);
  const question = JSON.stringify(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an equal input is the same question
  useEffect(() => {
    if (input === null) return;
    let isCurrent = true;
    void engine.ask<K, I>(command, input).then((result) => {
      if (isCurrent) setAnswer(result);
    });
    return () => {
      isCurrent = false;
    };
  }, [engine, command, question, version, repeats]);
  return { answer, askAgain: () => setRepeats(repeats + 1) };
};
