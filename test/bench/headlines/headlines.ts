/** The ratios that docs/benchmarks.md is judged by: each against a peer in the same run. */

export interface Headline {
  /** The section of the document, and the script of the same name. */
  readonly section: string;
  readonly name: string;
  readonly better: 'less' | 'more';
  /** The target; null where there is no target. */
  readonly goal: number | null;
}

const less = (section: string, name: string, goal: number | null = null): Headline => ({
  ...{ section, name, goal },
  better: 'less',
});
const more = (section: string, name: string, goal: number | null = null): Headline => ({
  ...{ section, name, goal },
  better: 'more',
});

export const HEADLINES: readonly Headline[] = [
  less('upload', '100 MiB: wall / tus', 0.7),
  less('upload', '100 MiB: CPU / tus', 0.75),
  less('upload', '1024 MiB: wall / tus', 0.75),
  less('upload', '1024 MiB: CPU / tus', 0.85),
  less('capture', 'Region, app running: wall / maim, curl, xclip', 1.1),
  less('capture', 'Region, no app running: wall / maim, curl, xclip', 3),
  less('capture', 'Screen, app running: wall / maim, curl, xclip', 0.5),
  less('capture', 'Screen, no app running: wall / maim, curl, xclip', 1),
  more('server', 'GET /api/v1/account: requests / bare route', 0.6),
  more('server', 'GET /api/v1/content/{id}: requests / bare route', 0.6),
  less('folder', 'First folder of a process: wall / zip -r'),
  less('folder', 'Later folders: wall / zip -r', 1.3),
  less('video-handbrake', 'Screen, the size is free: wall / HandBrake', 1),
  less('video-handbrake', 'Camera, the size is free: wall / HandBrake', 1),
  less('overlay', 'Press to painted overlay, p50: wall / maim of the screen'),
  less('ui', 'Start to home: wall / bare page'),
  less('ui', 'Start to library: wall / bare page'),
  less('drop', 'First picture of a session: wall / bare PUT'),
  less('drop', '30 kB: wall / bare PUT'),
  less('drop', '1 MB: wall / bare PUT'),
  less('drop', '5 MB: wall / bare PUT'),
];

export const headlinesOf = (section: string): readonly Headline[] =>
  HEADLINES.filter((headline) => headline.section === section);
