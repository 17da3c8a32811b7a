import { useSignal } from '@preact/signals';
import { signal } from '@preact/signals-core';
import type { VNode } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { PastConversation } from '../../../client/index.ts';
import { hasFeature } from '../../has-feature.ts';
import { PanelContext, type PanelModel, usePanel } from '../../panel/model/panel-model.ts';
import { MessageList } from '../../panel/transcript/message-list.tsx';
import { createRowSelector } from '../../panel/transcript/select-rows.ts';
import type { Window } from '../../panel/transcript/select-window.ts';
import { continuePast } from './continue-past.ts';
import { countWritten } from './count-written.ts';
import { formatWhen } from './format-when.ts';
import { HOME_TEXTS } from './home-texts.ts';
import { ReadingScreen } from './reading-screen.tsx';

/** Replaces the home screen: the copy of an earlier conversation, for reading. */
export function PastScreen(props: {
  readonly past: PastConversation;
  /** Leads back to the home screen. */
  readonly onBack: () => void;
}): VNode {
  const { past, onBack } = props;
  const model = usePanel();
  const { chat, isOver, locale, options, partTexts, parts, leaveHome } = model;
  // A conversation in which the visitor has written is finished first.
  const canContinue = hasFeature(options.value, 'continue') && (isOver.value || countWritten(chat) === 0);
  const texts = partTexts('home', HOME_TEXTS);
  useLayoutEffect(() => {
    // The parts that draw Markdown, dates, pictures and files of an earlier conversation.
    const { markdown, notices, cards, tools } = parts;
    for (const { load } of [markdown, notices, cards, tools]) void load();
  }, [parts]);
  return (
    <ReadingScreen
      title={past.title}
      subtitle={formatWhen(past.startedAtMs, Date.now(), locale.value)}
      onBack={onBack}
      footer={
        <>
          {canContinue && (
            <button
              type="button"
              class="button primary home-write"
              onClick={() => void continuePast(past, model)}
            >
              {texts.continuePast}
            </button>
          )}
          <button
            type="button"
            class={`button ${canContinue ? 'quiet' : 'primary'} home-write`}
            onClick={leaveHome}
          >
            {texts.writeAgain}
          </button>
        </>
      }
    >
      <p class="past-note">{canContinue ? texts.copyToContinue : texts.copy}</p>
      <PastMessages past={past} />
    </ReadingScreen>
  );
}

/** The messages as the conversation shows them, without anything to answer or to rate. */
function PastMessages({ past }: { readonly past: PastConversation }): VNode {
  const model = usePanel();
  const window = useSignal<Window>([0, past.items.length]);
  const entries = useMemo(() => signal(past.items.map((item) => signal(item))), [past]);
  const rows = useMemo(() => createRowSelector(entries, Date.now, window, signal([])), [entries, window]);
  const reading = useMemo(
    (): PanelModel => ({
      ...model,
      chat: { ...model.chat, messages: entries, canGiveFeedback: signal(false) },
    }),
    [model, entries],
  );
  return (
    <PanelContext.Provider value={reading}>
      <MessageList rows={rows} />
    </PanelContext.Provider>
  );
}
