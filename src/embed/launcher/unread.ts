import { adoptCss, fillCount, pageDocument, type Texts } from '../../widget/index.ts';
import css from './unread.css?inline';

const MAX_UNREAD = 99;

/** Shows the number of unread messages on the launcher and in its name; 0 removes it. */
export function showUnread(
  root: ShadowRoot,
  button: HTMLElement,
  unread: number,
  { strings, locale }: Pick<Texts, 'strings' | 'locale'>,
): void {
  let badge = button.querySelector('span');
  if (!badge) {
    adoptCss(root, css);
    badge = pageDocument.createElement('span');
    badge.className = 'badge';
    button.append(badge);
  }
  badge.textContent = '';
  if (unread === 0) return;
  const shown = new Intl.NumberFormat(locale.value).format(Math.min(unread, MAX_UNREAD));
  badge.textContent = unread > MAX_UNREAD ? `${shown}+` : shown;
  button.ariaLabel = fillCount(strings.value.openChatUnread, unread, locale.value);
}
