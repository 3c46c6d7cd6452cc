/** A screenshot discarded in the editor can be restored within its time limit and not later. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/api/errors.ts';
import type { CaptureId } from '../../../src/api/ids.ts';
import { KEPT_MOST, KEPT_MS } from '../../../src/engine/capture/discarded-captures.ts';
import type { Engine, EngineDeps } from '../../../src/engine/engine.ts';
import type { CaptureDraft } from '../../../src/ipc/protocol/drawing.ts';
import { openEngine, until } from '../../support/engine.ts';
import { shownMode } from '../../support/only-on.ts';
import { must } from '../../support/results.ts';
import { paintScreen } from '../../support/screen/painted-screen.ts';
import { sleepingClock } from '../../support/sleeping-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { drawing } from '../../support/window/drawing.ts';

const AREA = { x: 0, y: 0, width: 60, height: 40 };
const never = new AbortController().signal;
const expected = paintScreen([AREA]).expected(AREA);
const UNKNOWN = '00000000-0000-4000-8000-000000000001' as CaptureId;
/** An editor that was opened before anything was drawn. */
const basis = { by: 'first', read: null };

const openScene = (ports: Partial<EngineDeps> = {}, profileDir = temporaryFolder('discarded')) =>
  openEngine(profileDir, { capturer: paintScreen([AREA]), environment: {}, ...ports });

const inEditor = (engine: Engine): CaptureId | null => {
  const { capture } = engine.state();
  return capture?.state === 'editing' ? capture.id : null;
};

/** Captures a picture into the editor. */
const take = async (engine: Engine): Promise<CaptureId> => {
  expect(await engine.capture.start({ mode: 'region', delaySeconds: 0 }, never)).toEqual(ok({}));
  const { capture } = engine.state();
  if (capture?.state !== 'choosing') throw new Error(`The session is ${capture?.state}.`);
  expect(await engine.capture.choose({ id: capture.id, area: AREA, way: 'edit' }, never)).toEqual(ok({ item: null }));
  const id = inEditor(engine);
  if (id === null) throw new Error('The picture is not with the editor.');
  return id;
};

const takeAndDiscard = async (engine: Engine): Promise<CaptureId> => {
  const id = await take(engine);
  await engine.capture.cancel();
  return id;
};

const spooled = (engine: Engine): readonly string[] => readdirSync(engine.spoolDir).toSorted();
const discarded = (engine: Engine): readonly CaptureId[] => engine.state().discarded.map(({ id }) => id);

describe('a discarded picture', () => {
  it('is restored in the editor pixel by pixel, with its annotations', async () => {
    const { engine } = await openScene();
    const id = await take(engine);
    const { name, takenAt } = engine.state().capture as { name: string; takenAt: number };
    expect(await engine.capture.keepDraft({ id, draft: drawing(AREA), basis })).toEqual(ok({}));
    await engine.capture.cancel();
    expect(engine.state().capture).toBeNull();
    // Requests for its address are answered as if it were deleted.
    expect(engine.capture.picture(id)).toBeNull();
    expect(must(await engine.capture.draft({ id })).draft).toBeNull();

    expect(engine.capture.restore({ id })).toEqual(ok({}));
    expect(engine.state()).toMatchObject({ discarded: [], capture: { state: 'editing', id, name, takenAt } });
    expect(
      (
        await sharp(engine.capture.picture(id) ?? '')
          .raw()
          .toBuffer()
      ).equals(expected),
    ).toBe(true);
    expect(must(await engine.capture.draft({ id })).draft).toEqual(drawing(AREA));
  });

  it('does not block the next capture, and waits while that one is in the editor', async () => {
    const { engine } = await openScene();
    const first = await takeAndDiscard(engine);
    const second = await take(engine);
    expect(inEditor(engine)).toBe(second);
    expect(engine.capture.restore({ id: first })).toMatchObject({ ok: false, error: { code: 'CAPTURE_BUSY' } });
    await engine.capture.cancel();
    expect(discarded(engine)).toEqual([second, first]);
    expect(engine.capture.restore({ id: first })).toEqual(ok({}));
    expect(inEditor(engine)).toBe(first);
    expect(discarded(engine)).toEqual([second]);
  });

  it('is in a private folder, and reports when it will be deleted', async () => {
    const clock = sleepingClock();
    const { engine } = await openScene({ clock });
    const id = await take(engine);
    await engine.capture.keepDraft({ id, draft: drawing(AREA), basis });
    await clock.advance(1_000);
    await engine.capture.cancel();
    expect(engine.state().discarded).toMatchObject([{ id, until: 1_000 + KEPT_MS }]);
    expect(statSync(engine.spoolDir).mode & 0o777).toBe(shownMode(0o700));
    expect(spooled(engine)).toEqual([`${id}.png`, `${id}.png.drawing`]);
    for (const file of spooled(engine))
      expect(statSync(join(engine.spoolDir, file)).mode & 0o777).toBe(shownMode(0o600));
  });

  it('is deleted from the disk after an hour, with its annotations', async () => {
    const clock = sleepingClock();
    const { engine } = await openScene({ clock });
    const id = await take(engine);
    await engine.capture.keepDraft({ id, draft: drawing(AREA), basis });
    await engine.capture.cancel();
    const minutes = KEPT_MS / 60_000;
    for (let minute = 1; minute < minutes; minute += 1) await clock.advance(60_000);
    expect(discarded(engine)).toEqual([id]);
    expect(spooled(engine)).toHaveLength(2);
    await clock.advance(60_000);
    await until(() => spooled(engine).length === 0);
    expect(discarded(engine)).toEqual([]);
    expect(engine.capture.restore({ id })).toMatchObject({ ok: false, error: { code: 'CAPTURE_GONE' } });
  });

  it('is one of five at most: the oldest is deleted first', async () => {
    const { engine } = await openScene();
    const ids: CaptureId[] = [];
    for (let count = 0; count <= KEPT_MOST; count += 1) ids.push(await takeAndDiscard(engine));
    const left = ids.slice(1);
    await until(() => spooled(engine).length === KEPT_MOST);
    expect(discarded(engine)).toEqual(left.toReversed());
    expect(spooled(engine)).toEqual(left.map((id) => `${id}.png`).toSorted());
  });

  it('is deleted when Linkshot ends, with a drawing that a killed process had partly written', async () => {
    const { engine } = await openScene();
    const id = await take(engine);
    await engine.capture.keepDraft({ id, draft: drawing(AREA), basis });
    writeFileSync(join(engine.spoolDir, `${id}.png.drawing.part`), '{"draw');
    await engine.capture.cancel();
    await engine.close();
    expect(spooled(engine)).toEqual([]);
  });

  it('is counted separately from pending captures, and deleted by its own command and with the history', async () => {
    const { engine } = await openScene();
    const waiting = await take(engine);
    await engine.capture.finish(
      { id: waiting, picture: null, after: { publish: true, copyPicture: false, save: false }, share: {} },
      never,
    );
    for (const what of ['discarded', 'history'] as const) {
      const id = await take(engine);
      await engine.capture.keepDraft({ id, draft: drawing(AREA), basis });
      await engine.capture.cancel();
      expect(must(await engine.profile.usage()).parts).toMatchObject({
        discarded: { files: 2 },
        waiting: { files: 1 },
      });
      const { parts } = must(await engine.profile.clear({ what }));
      expect(parts).toMatchObject({ discarded: { bytes: 0, files: 0 }, waiting: { files: 1 } });
      expect(discarded(engine)).toEqual([]);
      expect(spooled(engine)).toEqual([`${waiting}.png`]);
    }
  });
});

describe('the drawing on a picture', () => {
  const other = (): CaptureDraft => ({ ...drawing(AREA), share: { visibility: 'private' } });

  it('is the last that was kept, however fast they follow each other', async () => {
    const { engine } = await openScene();
    const id = await take(engine);
    const drafts = Array.from({ length: 20 }, (_, at) => drawing({ ...AREA, width: at + 1 }));
    await Promise.all(drafts.map((draft) => engine.capture.keepDraft({ id, draft, basis })));
    expect(must(await engine.capture.draft({ id })).draft).toEqual(drafts.at(-1));
    await engine.capture.keepDraft({ id, draft: other(), basis });
    expect(must(await engine.capture.draft({ id })).draft).toEqual(other());
  });

  it('is refused for a picture that the editor has not, and nothing of it stays', async () => {
    const { engine } = await openScene();
    const id = await takeAndDiscard(engine);
    for (const gone of [id, UNKNOWN])
      expect(await engine.capture.keepDraft({ id: gone, draft: other(), basis })).toMatchObject({
        ok: false,
        error: { code: 'CAPTURE_GONE' },
      });
    expect(spooled(engine)).toEqual([`${id}.png`]);
  });

  it('is deleted as soon as the picture has left the editor, while the original waits to be published', async () => {
    const { engine } = await openScene();
    const id = await take(engine);
    await engine.capture.keepDraft({ id, draft: drawing(AREA), basis });
    const picture = join(engine.spoolDir, 'edited.png');
    await sharp(engine.capture.picture(id) ?? '').toFile(picture);
    const after = { publish: true, copyPicture: false, save: false };
    expect(await engine.capture.finish({ id, picture, basis, after, share: {} }, never)).toMatchObject({ ok: true });
    expect(spooled(engine)).toEqual([`${id}.png`, 'edited.png'].toSorted());
  });

  const after = { publish: true, copyPicture: false, save: false };
  const copying = async () => {
    const copied: Uint8Array[] = [];
    const clipboard = {
      writeText: async () => ok(undefined),
      writePicture: async (png: Uint8Array) => ok(void copied.push(png)),
    };
    const { engine } = await openScene({ clipboard });
    return { engine, copied, id: await take(engine) };
  };

  it('is not left out by a page that has not read it: the picture is neither published nor copied', async () => {
    const { engine, copied, id } = await copying();
    await engine.capture.keepDraft({ id, draft: drawing(AREA), basis });
    const refused = { ok: false, error: { code: 'DRAWING_NOT_APPLIED' } };
    expect(await engine.capture.finish({ id, picture: null, after }, never)).toMatchObject(refused);
    expect(await engine.capture.copy({ id, picture: null })).toMatchObject(refused);
    expect(inEditor(engine)).toBe(id);
    expect(engine.state().queue.items).toEqual([]);
    expect(must(await engine.capture.draft({ id })).draft).toEqual(drawing(AREA));
    expect(copied).toEqual([]);
    const finished = await engine.capture.finish({ id, picture: null, isUnedited: true, after }, never);
    expect(finished).toMatchObject({ ok: true });
    expect(engine.state().queue.items).toHaveLength(1);
  });

  it('is neither left out nor replaced by an editor that has not read it', async () => {
    const { engine, copied, id } = await copying();
    await engine.capture.keepDraft({ id, draft: drawing(AREA), basis });
    const { version } = must(await engine.capture.draft({ id }));
    const refused = { ok: false, error: { code: 'DRAWING_NOT_APPLIED' } };
    const path = engine.capture.picture(id) ?? '';
    const exported = async () => {
      const picture = join(engine.spoolDir, 'edited.png');
      await sharp(path).toFile(picture);
      return picture;
    };
    // Opened before the first editor drew, and after its first drawing but not its second.
    const early = { by: 'second', read: null };
    const between = { by: 'second', read: version?.revision ?? null };
    await engine.capture.keepDraft({ id, draft: other(), basis });
    for (const behind of [early, between]) {
      expect(await engine.capture.keepDraft({ id, draft: drawing(AREA), basis: behind })).toMatchObject(refused);
      expect(await engine.capture.copy({ id, picture: await exported(), basis: behind })).toMatchObject(refused);
      const finished = await engine.capture.finish({ id, picture: await exported(), basis: behind, after }, never);
      expect(finished).toMatchObject(refused);
    }
    expect(await engine.vision.readCapture({ id, reading: 'reading-0001' }, never)).toMatchObject(refused);
    expect([copied, spooled(engine)]).toEqual([[], [`${id}.png`, `${id}.png.drawing`]]);
    const newest = must(await engine.capture.draft({ id }));
    expect(newest.draft).toEqual(other());
    const caughtUp = { by: 'second', read: newest.version?.revision ?? null };
    expect(await engine.capture.keepDraft({ id, draft: drawing(AREA), basis: caughtUp })).toEqual(ok({}));
    expect(await engine.capture.copy({ id, picture: await exported(), basis })).toMatchObject(refused);
    expect(await engine.capture.copy({ id, picture: await exported(), basis: caughtUp })).toEqual(ok({}));
    const request = { id, picture: await exported(), basis, isUnedited: true, after } as const;
    expect(await engine.capture.finish(request, never)).toMatchObject({ ok: true });
  });

  it('is neither left out nor replaced where this version cannot read it', async () => {
    const { engine, id } = await copying();
    const path = `${engine.capture.picture(id)}.drawing`;
    const text = '{"drawing":{"marks":"of another version"}}';
    writeFileSync(path, text);
    const refused = { ok: false, error: { code: 'DRAWING_NOT_APPLIED' } };
    expect(await engine.capture.finish({ id, picture: null, after }, never)).toMatchObject(refused);
    expect(must(await engine.capture.draft({ id }))).toMatchObject({ draft: null, version: {} });
    expect(await engine.capture.keepDraft({ id, draft: other(), basis })).toMatchObject(refused);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('of an earlier version of Linkshot is gone on with', async () => {
    const { engine, id } = await copying();
    writeFileSync(`${engine.capture.picture(id)}.drawing`, JSON.stringify(drawing(AREA)));
    const { draft, version } = must(await engine.capture.draft({ id }));
    expect(draft).toEqual(drawing(AREA));
    expect(await engine.capture.keepDraft({ id, draft: other(), basis })).toMatchObject({ ok: false });
    const read = { by: 'first', read: version?.revision ?? null };
    expect(await engine.capture.keepDraft({ id, draft: other(), basis: read })).toEqual(ok({}));
  });

  it('keeps nothing back where it is empty', async () => {
    const { engine, copied, id } = await copying();
    const { drawing: drawn, ...rest } = drawing(AREA);
    const { backdrop: _, ...plain } = drawn;
    const empty = { ...rest, drawing: { ...plain, marks: [], crop: null } };
    expect(await engine.capture.keepDraft({ id, draft: empty, basis })).toEqual(ok({}));
    expect(await engine.capture.copy({ id, picture: null })).toEqual(ok({}));
    expect(copied).toHaveLength(1);
    expect(await engine.capture.finish({ id, picture: null, after }, never)).toMatchObject({ ok: true });
  });

  it('that cannot be read is no draft, and the picture is there all the same', async () => {
    const { engine } = await openScene();
    const id = await take(engine);
    const path = engine.capture.picture(id) ?? '';
    const whole = drawing(AREA);
    const half = whole.drawing.marks.map((mark) =>
      // What covers pixels in part hides nothing.
      mark.kind === 'redaction' ? { ...mark, box: { ...mark.box, x: 0.5 } } : mark,
    );
    const unreadable = [
      { ...whole, style: null },
      { ...whole, drawing: { ...whole.drawing, marks: half } },
    ];
    for (const text of ['', '{"drawing":', ...unreadable.map((draft) => JSON.stringify(draft))]) {
      writeFileSync(`${path}.drawing`, text);
      expect(must(await engine.capture.draft({ id })).draft).toBeNull();
    }
    expect(existsSync(path)).toBe(true);
  });
});
