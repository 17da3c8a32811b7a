import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { TranscriptItem } from '../../../client/index.ts';
import { Icon } from '../../icons.tsx';
import { usePanel } from '../../panel/model/panel-model.ts';
import { FEEDBACK_TEXTS, type FeedbackTexts } from './feedback-texts.ts';
import { ReasonForm } from './reason-form.tsx';

const THUMB_UP =
  'M7 10.5v9M7 19.5H4v-9h3m0 0l4-7c1.6 0 2.6 1.2 2.3 2.8L12.7 9.5H18a2 2 0 012 2.4l-1.2 6a2 2 0 01-2 1.6H7';
const THUMB_DOWN =
  'M17 13.5v-9m0 0h3v9h-3m0 0l-4 7c-1.6 0-2.6-1.2-2.300-2.800l.6-3.200H6a2 2 0 01-2-2.4l1.2-6a2 2 0 012-1.6H17';

type AgentMessage = Extract<TranscriptItem, { kind: 'agent' }>;

/** Rating of an answer: two buttons, and a field for the reason after a choice. Source: EXT-3. */
export function FeedbackRow({ item }: { item: AgentMessage }): VNode | null {
  const { chat, partTexts } = usePanel();
  const isAnswer = useIsAnswer(item);
  const texts = partTexts('feedback', FEEDBACK_TEXTS);
  const form = useSignal<'closed' | 'open' | 'sent'>('closed');
  const reason = useSignal('');
  /** The reason that the form was sent with. */
  const sent = useSignal('');
  const row = useRef<HTMLDivElement>(null);
  const { messageId, feedback } = item;
  const rating = feedback?.rating ?? null;
  const choose = (chosen: 'up' | 'down'): void => {
    // If a closed form has a reason, a click opens the form again; only the next click takes the rating back.
    const isPutAway = form.peek() !== 'open' && reason.peek() !== '';
    const isTakenBack = chosen === rating && !isPutAway;
    if (chosen !== rating || isTakenBack) chat.feedback(messageId, isTakenBack ? null : chosen);
    form.value = isTakenBack ? 'closed' : 'open';
  };
  const close = (next: 'closed' | 'sent'): void => {
    form.value = next;
    row.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  };
  // False while the feedback is being sent, and if only the rating is stored, without its reason.
  const isStored =
    form.value === 'sent' && feedback?.delivery.status === 'sent' && (feedback.reason ?? '') === sent.value;
  if (!isAnswer.value) return null;
  return (
    <div class="feedback" ref={row} data-form={form.value}>
      <div class="feedback-line">
        <Thumb label={texts.good} path={THUMB_UP} isPressed={rating === 'up'} onPress={() => choose('up')} />
        <Thumb
          label={texts.bad}
          path={THUMB_DOWN}
          isPressed={rating === 'down'}
          onPress={() => choose('down')}
        />
        <Delivery item={item} texts={texts} isStored={isStored} />
      </div>
      {rating && form.value === 'open' && (
        <ReasonForm
          label={rating === 'up' ? texts.reasonGood : texts.reasonBad}
          texts={texts}
          reason={reason}
          onSend={(text) => {
            const trimmed = text.trim();
            if (trimmed) chat.feedback(messageId, rating, trimmed);
            sent.value = trimmed || (feedback?.reason ?? '');
            reason.value = '';
            close('sent');
          }}
          onSkip={() => {
            reason.value = '';
            close('closed');
          }}
          onClose={() => close('closed')}
        />
      )}
    </div>
  );
}

/** False for messages of the agent before the visitor's first. */
function useIsAnswer({ key }: AgentMessage): ReadonlySignal<boolean> {
  const { chat } = usePanel();
  return useComputed(() => {
    const items = chat.messages.value.map((entry) => entry.peek());
    return items.find((one) => one.kind === 'user' || one.key === key)?.kind === 'user';
  });
}

/** Shows that the feedback is stored, or a button to try again. */
function Delivery(props: {
  readonly item: AgentMessage;
  readonly texts: FeedbackTexts;
  readonly isStored: boolean;
}): VNode {
  const { chat, strings } = usePanel();
  const { texts, isStored } = props;
  const { messageId, feedback } = props.item;
  const hasFailed = feedback?.delivery.status === 'failed';
  return (
    <>
      <span class="feedback-status" role="status">
        {hasFailed ? texts.notSaved : isStored ? texts.thanks : ''}
      </span>
      {hasFailed && (
        <button
          type="button"
          class="text-button"
          onClick={() => chat.feedback(messageId, feedback.rating, feedback.reason ?? '')}
        >
          {strings.value.tryAgain}
        </button>
      )}
    </>
  );
}

interface ThumbProps {
  readonly label: string;
  readonly path: string;
  readonly isPressed: boolean;
  readonly onPress: () => void;
}

function Thumb({ label, path, isPressed, onPress }: ThumbProps): VNode {
  return (
    <button
      type="button"
      class="thumb"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onPress}
    >
      <Icon path={path} size={18} />
    </button>
  );
}
