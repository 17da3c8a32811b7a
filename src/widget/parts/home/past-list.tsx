import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { ChatServices, PastConversation } from '../../../client/index.ts';
import { usePanel } from '../../panel/model/panel-model.ts';
import { formatWhen } from './format-when.ts';
import type { HomeTexts } from './home-texts.ts';

/** Earlier conversations of this browser, the latest first. */
export function PastList(props: {
  readonly past: readonly PastConversation[];
  readonly shownAtFirst: number;
  readonly texts: HomeTexts;
  readonly services: ChatServices;
  /** `button` is the pressed button. */
  readonly onOpen: (past: PastConversation, button: HTMLElement) => void;
  /** Called when copies were removed. */
  readonly onChange: () => Promise<void>;
}): VNode {
  const { past, shownAtFirst, texts, services, onOpen, onChange } = props;
  const { locale, strings } = usePanel();
  const isWhole = useSignal(past.length <= shownAtFirst);
  const shown = isWhole.value ? past : past.slice(0, shownAtFirst);
  return (
    <>
      <h4 id="past-title">{texts.earlier}</h4>
      <ul class="past" aria-labelledby="past-title">
        {shown.map((one) => (
          <li key={one.sessionId}>
            <button type="button" onClick={({ currentTarget }) => onOpen(one, currentTarget)}>
              <span class="past-name">
                <bdi>{one.title}</bdi>
              </span>
              <time dateTime={new Date(one.lastAtMs).toISOString()}>
                {formatWhen(one.lastAtMs, Date.now(), locale.value)}
              </time>
            </button>
          </li>
        ))}
      </ul>
      <div class="past-actions">
        {!isWhole.value && (
          <button type="button" class="text-button" onClick={() => (isWhole.value = true)}>
            {strings.value.showMore}
          </button>
        )}
        <button
          type="button"
          class="text-button"
          onClick={async () => {
            await services.past.forget();
            await onChange();
          }}
        >
          {texts.forget}
        </button>
      </div>
    </>
  );
}
