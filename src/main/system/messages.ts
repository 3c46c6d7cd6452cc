/** Texts of the desktop for starts, crashed pages and updates. */
export interface SystemMessages {
  /** A page crashed twice within a minute. */
  readonly pageEnded: { readonly title: string; readonly body: string };
  /** It is downloaded, and is installed when the app quits. */
  readonly updateReady: (version: string) => string;
  /** It is available; nothing is downloaded. */
  readonly updateThere: (version: string) => string;
}

export const EN_SYSTEM: SystemMessages = {
  pageEnded: {
    title: 'The window of Linkshot has ended twice',
    body: 'Your uploads go on. Open the window again from the tray, or by starting Linkshot.',
  },
  updateReady: (version) => `Linkshot ${version} is ready and starts with your next start of Linkshot.`,
  updateThere: (version) => `Linkshot ${version} is there. Get it where you got this one.`,
};

export const RU_SYSTEM: SystemMessages = {
  pageEnded: {
    title: 'Окно Linkshot дважды закрылось само',
    body: 'Загрузки продолжаются. Откройте окно из трея или запустите Linkshot ещё раз.',
  },
  updateReady: (version) => `Linkshot ${version} загружен и заработает при следующем запуске.`,
  updateThere: (version) => `Вышел Linkshot ${version}. Скачайте его там же, где взяли этот.`,
};
