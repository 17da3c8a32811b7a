import type { ReadonlySignal } from '@preact/signals-core';
import type { VNode } from 'preact';
import type { TranscriptItem } from '../../../client/index.ts';
import { useLink } from '../../links/use-link.ts';
import { fill } from '../../locales/fill.ts';
import { Avatar } from '../../panel/avatar.tsx';
import { usePanel } from '../../panel/model/panel-model.ts';
import { isWaiting } from '../../panel/transcript/select-rows.ts';
import { QueueLine } from './queue-line.tsx';
import { selectNoticeText } from './select-notice.ts';

/**
 * The card of a hand-off: the place in the queue while the visitor waits, then the person who joined, or the failure.
 */
export function HandoffCard({
  item,
  hours,
}: {
  item: ReadonlySignal<TranscriptItem>;
  hours: string | undefined;
}): VNode | null {
  const model = usePanel();
  const { chat, contactHref, nameOf, parts, strings } = model;
  const offer = parts.contact.code.value;
  const toLink = useLink();
  const { value } = item;
  if (value.kind !== 'system') return null;
  const { notice } = value;
  const agentName = nameOf(null);
  const contact = contactHref.value;
  if (notice.code === 'live_agent_joined') {
    const speaker = { kind: 'live_agent', id: null, name: notice.name, avatarUrl: null } as const;
    const current = chat.speaker.value;
    return (
      <div class="handoff">
        <Avatar speaker={current?.name === notice.name ? current : speaker} />
        <p class="handoff-title">{fill(strings.value.personHere, { name: nameOf(speaker) })}</p>
      </div>
    );
  }
  const isRunning = isWaiting(value) && chat.session.value.status !== 'ended';
  return (
    <div class="handoff">
      <p class="handoff-title">{selectNoticeText(notice, model)}</p>
      {isRunning && <QueueLine />}
      {/* A range of hours stays on one line. */}
      {hours && notice.code !== 'handoff_cancelled' && (
        <p dir="auto">{fill(strings.value.deskHours, { hours: hours.replaceAll('–', '\u2060–\u2060') })}</p>
      )}
      {isRunning ? (
        <>
          <p>{fill(strings.value.handoffNobody, { name: agentName })}</p>
          {chat.canCancelHandoff.value && (
            <button type="button" class="button quiet" onClick={() => chat.cancelHandoff()}>
              {fill(strings.value.handoffCancel, { name: agentName })}
            </button>
          )}
        </>
      ) : (
        notice.code !== 'handoff_cancelled' && (
          <>
            {contact && (
              <a class="text-button" {...toLink(contact, strings.value.contactUs)}>
                {strings.value.contactUs}
              </a>
            )}
            {offer && <offer.ContactOffer />}
          </>
        )
      )}
    </div>
  );
}
