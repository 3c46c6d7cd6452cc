/** Waits for the previews that follow a publication, in tests that count stored objects. */
import { eventually } from '../eventually.ts';
import { queryData } from './stored-bytes.ts';

/** Resolves once no item of the data folder waits for a preview. */
export const previewsMade = (data: string): Promise<void> =>
  eventually(async () => {
    const waiting = await queryData(
      data,
      "SELECT id FROM content WHERE previewWanted = 1 OR mediaStatus = 'PROCESSING'",
    );
    if (waiting.length > 0) throw new Error(`${waiting.length} items wait for their preview.`);
  });
