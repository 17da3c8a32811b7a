import type { ReadonlySignal } from '@preact/signals-core';
import type { VNode } from 'preact';
import type { DeliveryStatus, TranscriptItem } from '../../../client/index.ts';
import { directionOf } from '../../dom/text-direction.ts';
import { ALERT, CHECK, CLOCK, Icon } from '../../icons.tsx';
import { BareLink, toBareHref } from '../../links/bare-link.tsx';
import { useDelayedValue } from '../../signals/use-delayed-value.ts';
import { CopyText } from '../copy-button.tsx';
import { usePanel } from '../model/panel-model.ts';
import { isRefused } from '../select-banner.ts';
import { isEmojiOnly } from './is-emoji-only.ts';
import { LongText } from './long-text.tsx';
import { MessageTime } from './message-time.tsx';
import type { Item } from './select-rows.ts';

const NEVER_SENT = { status: 'failed', reason: 'refused', isRetryable: false } as const;

/** A message of the visitor, with its delivery state. */
export function VisitorMessage(props: {
  item: ReadonlySignal<TranscriptItem>;
  isLatest: boolean;
}): VNode | null {
  const { chat, strings, parts, textDirection } = usePanel();
  // "Sending…" appears only when sending takes noticeably long.
  const slow = useDelayedValue(() => {
    const { value } = props.item;
    const status = value.kind === 'user' ? value.delivery.status : null;
    return status === 'pending' ? 'sending' : status === 'queued' ? 'queuedMessage' : null;
  });
  const item = props.item.value;
  if (item.kind !== 'user') return null;
  const { status } = item.delivery;
  const delivery = status === 'queued' && isRefused(chat.connection.value) ? NEVER_SENT : item.delivery;
  const isFailed = delivery.status === 'failed';
  const isSent = status === 'sent' && props.isLatest;
  const progress = slow.value ?? (isSent && 'sent');
  const tools = parts.tools.code.value;
  const { text, files } = tools?.splitFiles(item.text) ?? { text: item.text, files: [] };
  const href = toBareHref(text);
  return (
    <div
      class={isFailed ? 'message visitor subject failed' : 'message visitor subject'}
      part="message visitor-message"
    >
      <div class="bubble-line">
        <span class="sr">{strings.value.youSaid} </span>
        {text && (
          <div
            class={href ? 'bubble bare' : isEmojiOnly(text) ? 'bubble emoji' : 'bubble'}
            part="bubble"
            dir={directionOf(text, textDirection.value)}
            data-delivery={status}
          >
            {href ? <BareLink href={href}>{text}</BareLink> : <LongText text={text} />}
          </div>
        )}
        <MessageTime atMs={item.atMs} />
      </div>
      {tools && files.length > 0 && <tools.SentFiles files={files} />}
      {isFailed ? (
        <FailedLine item={item} delivery={delivery} />
      ) : (
        progress && (
          <div class="delivery">
            <Icon path={progress === 'sent' ? CHECK : CLOCK} size={14} />
            {strings.value[progress]}
          </div>
        )
      )}
    </div>
  );
}

function FailedLine(props: {
  item: Item<'user'>;
  delivery: Extract<DeliveryStatus, { status: 'failed' }>;
}): VNode {
  const { chat, strings, focusComposer } = usePanel();
  const { localId, text } = props.item;
  const { reason, isRetryable } = props.delivery;
  const sentence =
    reason === 'too_long'
      ? strings.value.notSentTooLong
      : reason === 'chat_ended'
        ? strings.value.notSentEnded
        : strings.value.notSent;
  const [label, act] = isRetryable
    ? [strings.value.tryAgain, chat.retry]
    : [strings.value.remove, chat.discard];
  const copy = <CopyText text={text} />;
  return (
    <div class="delivery danger">
      <Icon path={ALERT} size={14} />
      <span>{sentence}</span>
      <span class="actions">
        {/* The button that removes the message is last. */}
        {!isRetryable && copy}
        {localId !== null && (
          <button
            type="button"
            class="text-button"
            onClick={() => {
              act(localId);
              // The pressed button is removed, and with it the focus.
              focusComposer();
            }}
          >
            {label}
          </button>
        )}
        {isRetryable && copy}
      </span>
    </div>
  );
}
