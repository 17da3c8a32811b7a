import type { VNode } from 'preact';
import type { Attachment, CallAction } from '../../../client/index.ts';
import { Icon, LINK } from '../../icons.tsx';
import { hostOf, type ResolvedAttachment, resolveAttachments } from '../../links/resolve-attachments.ts';
import { toTelHref } from '../../links/safe-href.ts';
import { useLink } from '../../links/use-link.ts';
import { listKey } from '../../list-key.ts';
import { useLazyPart, usePanel } from '../model/panel-model.ts';

const isCard = ({ attachment, picture }: ResolvedAttachment): boolean =>
  attachment.kind === 'image' || picture !== null;

interface Extras {
  readonly attachments: readonly Attachment[];
  readonly actions: readonly CallAction[];
}

/** Pictures, link cards and numbers to call; their code is loaded with the first of them. Source: messaging.md 7.5. */
export function Attachments({ attachments, actions }: Extras): VNode | null {
  const shown = resolveAttachments(attachments, usePanel().options.value).filter(isCard);
  return shown.length + actions.length === 0 ? null : <Cards shown={shown} actions={actions} />;
}

function Cards({
  shown,
  actions,
}: {
  shown: readonly ResolvedAttachment[];
  actions: Extras['actions'];
}): VNode | null {
  const code = useLazyPart(usePanel().parts.cards);
  return (
    code && (
      <div class="extras">
        {shown.length > 0 && <code.CardList shown={shown} />}
        <code.CallActions actions={actions} />
      </div>
    )
  );
}

/**
 * Links without a picture, as chips below the answer. If the code of the cards could not be loaded, all attachments and
 * numbers are chips.
 */
export function Sources({ attachments, actions }: Extras): VNode | null {
  const { strings, parts, options } = usePanel();
  const toLink = useLink();
  const hasFailed = parts.cards.hasFailed.value;
  const shown = resolveAttachments(attachments, options.value).filter(
    (resolved) => hasFailed || !isCard(resolved),
  );
  const calls = hasFailed ? actions : [];
  if (shown.length + calls.length === 0) return null;
  return (
    <ul class="sources" aria-label={strings.value.sources}>
      {shown.map(({ attachment, href }, index) => (
        <li key={listKey(index)}>
          <a
            class="source"
            title={attachment.callToActionText ?? hostOf(href)}
            {...toLink(href, attachment.title || hostOf(href))}
          >
            <Icon path={LINK} size={14} />
            <span dir="auto">{attachment.title || hostOf(href)}</span>
          </a>
        </li>
      ))}
      {calls.map(({ title, phoneNumber }, index) => (
        <li key={listKey(index)}>
          <NumberChip href={toTelHref(phoneNumber)} text={title || phoneNumber} />
        </li>
      ))}
    </ul>
  );
}

/** A number to call; plain text if it is no valid number. */
function NumberChip({ href, text }: { href: string | null; text: string }): VNode {
  const label = <span dir="auto">{text}</span>;
  return href ? (
    <a class="source" href={href}>
      {label}
    </a>
  ) : (
    <span class="source">{label}</span>
  );
}
