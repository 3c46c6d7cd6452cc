/** The page at `/`: says what this server is, for visitors without a link. */
import { ACCOUNT_MESSAGES } from './account/messages.ts';
import { html } from './html.ts';
import { renderPage } from './layout.ts';
import { type Language, MESSAGES } from './messages.ts';

export const homePage = (language: Language): string => {
  const text = MESSAGES[language];
  return renderPage({
    language,
    title: text.homeTitle,
    body: html`<main class="stage center"><section class="card welcome">
<h1>${text.homeTitle}</h1>
<p>${text.homeText}</p>
<div class="actions"><a class="button primary" href="/account">${ACCOUNT_MESSAGES[language].signIn}</a><a class="button" href="/docs">${text.homeDocs}</a></div>
</section></main>`,
  });
};
