import type { VNode } from 'preact';
import { NEW_TAB } from '../../../src/widget/links/safe-href.ts';
import './attachments.css';
import type { Attachment } from './read-transcript.ts';

/**
 * Attachments of a message, as links. Only pictures stored on the platform are shown, because loading others would
 * reveal the reader to their host.
 */
export function Attachments({ attachments }: { attachments: readonly Attachment[] }): VNode | null {
  if (attachments.length === 0) return null;
  return (
    <ul class="attachments" aria-label="Attachments">
      {attachments.map(({ isPicture, href, title }) => (
        <li key={href}>
          <a href={href} {...NEW_TAB}>
            {isPicture && new URL(href).origin === location.origin && (
              <img src={href} alt="" loading="lazy" />
            )}
            <bdi>{title}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}
