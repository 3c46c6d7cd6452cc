/** The texts of the share pages of notes and folders, in English and Russian. */
import { plural } from '../../format.ts';
import type { Language } from '../../messages.ts';

const EN = {
  plain: 'Plain text',
  markdown: 'Markdown',
  code: 'Code',
  folder: 'Folder',
  lines: plural('en', { one: 'line', other: 'lines' }),
  files: plural('en', { one: 'file', other: 'files' }),
  edited: 'Edited',
  copyText: 'Copy text',
  raw: 'Raw',
  downloadAll: 'Download all',
  fileList: 'Files',
  filesBeside: 'Other files in this folder',
  path: 'Path',
  rendered: 'Rendered',
  source: 'Source',
  wrap: 'Wrap lines',
  search: 'Find a file',
  find: 'Find',
  found: 'Files found:',
  noneFound: 'No files found.',
  noFileTitle: 'File not found in this folder',
  noFileText: 'The address may be incomplete. Choose a file from the list.',
  allFiles: 'All files',
};

type TextMessages = typeof EN;

const RU: TextMessages = {
  plain: 'Обычный текст',
  markdown: 'Markdown',
  code: 'Код',
  folder: 'Папка',
  lines: plural('ru', { one: 'строка', few: 'строки', other: 'строк' }),
  files: plural('ru', { one: 'файл', few: 'файла', other: 'файлов' }),
  edited: 'Изменено',
  copyText: 'Скопировать текст',
  raw: 'Оригинал',
  downloadAll: 'Скачать всё',
  fileList: 'Файлы',
  filesBeside: 'Другие файлы в этой папке',
  path: 'Путь',
  rendered: 'С оформлением',
  source: 'Разметка',
  wrap: 'Переносить строки',
  search: 'Найти файл',
  find: 'Найти',
  found: 'Найдено файлов:',
  noneFound: 'Файлы не найдены.',
  noFileTitle: 'В этой папке нет такого файла',
  noFileText: 'Возможно, адрес неполный. Выберите файл из списка.',
  allFiles: 'Все файлы',
};

export const TEXT_MESSAGES: Readonly<Record<Language, TextMessages>> = { en: EN, ru: RU };
