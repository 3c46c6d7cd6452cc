/** Pages that scroll, made from a seed: with strips that stay, lazy loading, growth, animation and repeated rows. */
import { seededRandom } from '../seeded-random.ts';

export interface ScrollingSpec {
  readonly seed: number;
  readonly parts: readonly Part[];
}

const PARTS = [
  'header',
  'footer',
  'sidebar',
  'button',
  'animation',
  'lazy',
  'grows',
  'table',
  'dark',
  'smooth',
] as const;
type Part = (typeof PARTS)[number];

/** Every part alone, then pairs and triples of them. */
export const scrollingSpecs = (count: number): readonly ScrollingSpec[] =>
  Array.from({ length: count }, (_, seed) => {
    const random = seededRandom(seed + 400);
    const size = seed < PARTS.length ? 0 : 1 + (seed % 3);
    const parts = new Set<Part>([PARTS[seed % PARTS.length] as Part]);
    while (parts.size < size + 1) parts.add(PARTS[Math.floor(random() * PARTS.length)] as Part);
    return { seed, parts: [...parts] };
  });

const WORDS = 'river stone copper lantern window harbour violin meadow signal winter paper engine garden thunder'.split(
  ' ',
);

export const scrollingPage = ({ seed, parts }: ScrollingSpec): string => {
  const random = seededRandom(seed);
  const has = (part: Part): boolean => parts.includes(part);
  const words = (count: number): string =>
    Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
  const blocks = Array.from({ length: 24 }, (_, n) => {
    if (has('table') && n % 4 === 1)
      return `<table>${Array.from({ length: 12 }, (_, row) => `<tr><td>row</td><td>the same</td><td>${n * 12 + row}</td></tr>`).join('')}</table>`;
    if (has('lazy') && n % 3 === 2)
      return `<div class="lazy" data-colour="hsl(${(n * 47) % 360} 60% 50%)" style="height:90px">picture ${n}</div>`;
    if (has('animation') && n === 3) return '<div class="animated"></div>';
    return `<p><b>${n}.</b> ${words(20 + Math.floor(random() * 50))}</p>`;
  }).join('');
  return `<!doctype html><meta charset="utf-8"><style>
    html { ${has('smooth') ? 'scroll-behavior: smooth;' : ''} }
    body { margin: 0; width: 840px; font: 15px/1.5 sans-serif; background: ${has('dark') ? '#16181d' : '#fff'}; color: ${has('dark') ? '#dde' : '#222'}; }
    main { padding: 10px 24px; ${has('sidebar') ? 'margin-left: 170px;' : ''} }
    header { position: sticky; top: 0; background: #245; color: #fff; padding: 12px; z-index: 2; }
    footer { position: fixed; bottom: 0; left: 0; width: 824px; background: #542; color: #fff; padding: 8px; z-index: 2; }
    aside { position: fixed; left: 0; top: 60px; width: 150px; padding: 8px; }
    button { position: fixed; left: 770px; bottom: 60px; width: 44px; height: 44px; z-index: 2; }
    td { border: 1px solid #888; padding: 3px 12px; }
    .loaded { color: #fff; }
    .animated { width: 200px; height: 80px; background: #c33; animation: turn 1s linear infinite; }
    @keyframes turn { from { background: #c33; } to { background: #33c; } }
  </style>
  ${has('header') ? '<header>A header that stays</header>' : ''}
  ${has('sidebar') ? '<aside>one<br>two<br>three<br>four</aside>' : ''}
  <main>${blocks}</main>
  ${has('footer') ? '<footer>A footer that stays</footer>' : ''}
  ${has('button') ? '<button>up</button>' : ''}
  <script>
    const seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) setTimeout(() => { target.style.background = target.dataset.colour; target.classList.add('loaded'); }, 80);
    });
    for (const lazy of document.querySelectorAll('.lazy')) seen.observe(lazy);
    let grown = 0;
    if (${has('grows')}) addEventListener('scroll', () => {
      if (grown < 3 && scrollY + innerHeight > document.documentElement.scrollHeight - 20) {
        grown++;
        setTimeout(() => {
          for (let n = 0; n < 5; n++) document.querySelector('main').append(Object.assign(document.createElement('p'), { textContent: 'grown ' + grown + ' ' + n + ' ' + 'harbour meadow '.repeat(n + grown) }));
        }, 150);
      }
    });
  </script>`;
};
