/**
 * The inline scripts of share pages, for copying and sharing, videos, the line numbers of code and the search in a
 * folder. A page allows its scripts by a nonce and is complete without them.
 */
import { PERIODS } from '../format.ts';
import { type Html, trusted } from '../html.ts';

/**
 * On every page: counts the view as an explicit open, polls pending media without a reload that would lose the scroll
 * position or end at the page of a passing error, copies things, opens the system's share sheet, and shows times in the
 * reader's zone. A copy button names what it copies: words, the text of an element, the response of an address, or a
 * picture; a link is copied and shared with the lines that are marked. Safari allows a copy only while the click is
 * handled, so that what is fetched or drawn is given as a promise.
 */
export const PAGE_SCRIPT: Html = trusted(`
const read = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.status);
  return new Blob([await answer.text()], { type: 'text/plain' });
};
const pictureOf = async (image) => {
  const answer = await fetch(image.src);
  if (!answer.ok) throw new Error(answer.status);
  const blob = await answer.blob();
  if (blob.type === 'image/png') return blob;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext('2d').drawImage(image, 0, 0);
  return new Promise((done, fail) => canvas.toBlob((png) => png ? done(png) : fail(new Error('no picture')), 'image/png'));
};
const linesOf = () => /^#L\\d+(-L\\d+)?$/.test(location.hash) ? location.hash : '';
const write = (type, content) => navigator.clipboard.write([new ClipboardItem({ [type]: content })]);
for (const button of document.querySelectorAll('.copy')) {
  const { copyOf, copyFrom, copyPicture, done, failed } = button.dataset;
  const label = button.lastElementChild;
  const name = label.textContent;
  button.hidden = !navigator.clipboard || (!!copyPicture && !window.ClipboardItem);
  button.addEventListener('click', () => {
    const copying = copyPicture
      ? write('image/png', pictureOf(document.querySelector(copyPicture)))
      : copyFrom
        ? write('text/plain', read(copyFrom))
        : navigator.clipboard.writeText(copyOf ? document.querySelector(copyOf).textContent : button.dataset.copy + linesOf());
    copying.then(() => { label.textContent = done; }, () => { label.textContent = failed; });
  });
  button.addEventListener('blur', () => { label.textContent = name; });
}
for (const button of document.querySelectorAll('.system-share')) {
  const { url, failed } = button.dataset;
  const title = document.querySelector('h1').textContent;
  button.hidden = !navigator.canShare?.({ title, url });
  button.addEventListener('click', () => navigator.share({ title, url: url + linesOf() }).catch(({ name }) => {
    if (name !== 'AbortError') button.lastElementChild.textContent = failed;
  }));
}
const { lang } = document.documentElement;
for (const time of document.querySelectorAll('time[data-day], time[data-exact]')) {
  const timeStyle = 'exact' in time.dataset ? 'short' : undefined;
  time.textContent = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeStyle }).format(new Date(time.dateTime));
}
for (const time of document.querySelectorAll('time[data-left]')) {
  const periods = ${JSON.stringify(PERIODS)};
  const end = performance.now() + Number(time.dataset.left);
  const count = setInterval(() => {
    const left = Math.max(0, end - performance.now()) / 1000;
    const [unit, length] = periods.find(([, length]) => left >= 2 * length) ?? periods[2];
    const format = new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' });
    time.textContent = format.format(Math.ceil(left / length));
    if (left === 0) clearInterval(count);
  }, 1000);
}
const { open, again } = document.querySelector('main').dataset;
if (open) fetch(open, { method: 'POST' }).then((answer) => answer.text()).catch(() => {});
const look = async () => {
  let wait = Number(again);
  try {
    const answer = await fetch(location.href);
    const [main] = /<main [^>]*>/.exec(await answer.text()) ?? [];
    if (main && [200, 403, 404].includes(answer.status) && !/data-again=/.test(main)) return location.reload();
    wait = Math.max(wait, Number(answer.headers.get('retry-after')) || 0);
  } catch {}
  setTimeout(look, wait * 1000);
};
if (again) setTimeout(look, again * 1000);
`);

/**
 * With a video: its speed, picture in picture where the browser has it, a link that starts at the current second, and
 * chapters that seek and show which one plays.
 */
export const VIDEO_SCRIPT: Html = trusted(`
const video = document.querySelector('video');
const speed = document.querySelector('.speed');
if (video && speed) {
  speed.hidden = false;
  const choice = speed.querySelector('select');
  choice.addEventListener('change', () => { video.playbackRate = Number(choice.value); });
  video.addEventListener('ratechange', () => { choice.value = String(video.playbackRate); });
}
const apart = document.querySelector('.apart');
if (video && apart && document.pictureInPictureEnabled && video.requestPictureInPicture) {
  apart.hidden = false;
  apart.addEventListener('click', () => {
    const change = document.pictureInPictureElement ? document.exitPictureInPicture() : video.requestPictureInPicture();
    change.catch(() => {});
  });
}
const moment = document.querySelector('.copy[data-moment]');
if (video && moment) {
  const update = () => {
    const link = new URL(moment.dataset.moment);
    const second = Math.floor(video.currentTime);
    if (second > 0) link.searchParams.set('t', second);
    moment.dataset.copy = link.href;
  };
  video.addEventListener('timeupdate', update);
  video.addEventListener('seeking', update);
}
const chapters = [...document.querySelectorAll('.chapters a')];
if (video && chapters.length > 0) {
  for (const chapter of chapters) chapter.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    video.currentTime = Number(chapter.dataset.start);
    video.play().catch(() => {});
  });
  const mark = () => {
    const now = chapters.findLast((chapter) => Number(chapter.dataset.start) <= video.currentTime + 0.01);
    for (const chapter of chapters) chapter.removeAttribute('aria-current');
    now?.setAttribute('aria-current', 'true');
  };
  video.addEventListener('timeupdate', mark);
  video.addEventListener('seeking', mark);
}
`);

/**
 * With numbered lines: marks those of an address such as \`#L3-L9\`, takes a range by Shift and a click, and moves between
 * the numbers by the arrow keys.
 */
export const LINES_SCRIPT: Html = trusted(`
const numbers = [...document.querySelectorAll('.line > a[href^="#L"]')];
const range = () => {
  const [, first, last = first] = /^#L(\\d+)(?:-L(\\d+))?$/.exec(location.hash) ?? [];
  return first === undefined ? null : [Math.min(first, last), Math.max(first, last)];
};
const show = (scroll) => {
  for (const line of document.querySelectorAll('.line.marked')) line.classList.remove('marked');
  const lines = range();
  if (!lines) return;
  for (const link of numbers.slice(lines[0] - 1, lines[1])) link.parentElement.classList.add('marked');
  if (scroll) numbers[lines[0] - 1]?.parentElement.scrollIntoView();
};
addEventListener('hashchange', () => show(location.hash.includes('-')));
show(location.hash.includes('-'));
for (const [index, link] of numbers.entries()) {
  link.addEventListener('click', (event) => {
    const lines = event.shiftKey ? range() : null;
    if (!lines) return;
    event.preventDefault();
    const [first, last] = [Math.min(lines[0], index + 1), Math.max(lines[0], index + 1)];
    history.replaceState(null, '', '#L' + first + (last > first ? '-L' + last : ''));
    show(false);
  });
  link.addEventListener('keydown', (event) => {
    const next = numbers[index + (event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : NaN)];
    if (!next) return;
    event.preventDefault();
    link.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
`);

/** With the list of all files of a folder: filters its files while the reader types. */
export const SEARCH_SCRIPT: Html = trusted(`
const search = document.querySelector('.search');
const tree = document.querySelector('.tree');
if (search && tree) {
  const field = search.querySelector('input');
  const count = search.querySelector('[role=status]');
  const files = [...tree.querySelectorAll('.file')].map((link) => {
    return { row: link.parentElement, path: new URL(link.href).searchParams.get('file').normalize('NFC').toLowerCase() };
  });
  const folders = [...tree.querySelectorAll('details')].reverse();
  const before = folders.map((folder) => folder.open);
  search.classList.add('live');
  search.addEventListener('submit', (event) => event.preventDefault());
  field.addEventListener('input', () => {
    const words = field.value.normalize('NFC').toLowerCase().split(/\\s+/).filter(Boolean);
    let found = 0;
    for (const { row, path } of files) {
      row.hidden = !words.every((word) => path.includes(word));
      if (!row.hidden) found += 1;
    }
    folders.forEach((folder, index) => {
      folder.parentElement.hidden = !folder.querySelector('li:not([hidden])');
      folder.open = words.length > 0 ? true : before[index];
    });
    count.textContent = words.length === 0 ? '' : found === 0 ? count.dataset.none : count.dataset.found + ' ' + found;
  });
}
`);
