import { createRef } from 'preact';
import { Composer } from './composer.tsx';
import { usePanel } from './panel-model.ts';
import { fill } from './strings/catalogue.ts';
import { useMounted, useOnce, type View, view } from './view.ts';

/** Small print up to this length fits below the composer; a longer one stands before the first message. */
export const SHORT_DISCLAIMER_CHARACTERS = 110;

/** The composer, or what takes its place. */
export const Footer: View = view(() => {
  const { isOver, overlay, options } = usePanel();
  const { disclaimer = '' } = options.value;
  if (isOver.value) return <EndedBar />;
  return (
    <footer class="footer">
      {overlay.value === 'confirm_end' ? <ConfirmEnd /> : <Composer />}
      {disclaimer && disclaimer.length <= SHORT_DISCLAIMER_CHARACTERS && (
        <p class="disclaimer" dir="auto">
          {disclaimer}
        </p>
      )}
    </footer>
  );
});

const ConfirmEnd = view(() => {
  const { chat, overlay, strings, focusComposer } = usePanel();
  const keep = useOnce(createRef<HTMLButtonElement>);
  useMounted(() => void keep.current?.focus());
  const stay = () => {
    overlay.value = 'none';
    focusComposer();
  };
  const end = () => {
    overlay.value = 'none';
    void chat.endChat();
  };
  return (
    <div class="choice" role="alertdialog" aria-label={strings.value.confirmEnd}>
      <span>{strings.value.confirmEnd}</span>
      <span class="choice-actions">
        <button type="button" class="button quiet" ref={keep} onClick={stay}>
          {strings.value.confirmEndNo}
        </button>
        <button type="button" class="button danger" onClick={end}>
          {strings.value.menuEndChat}
        </button>
      </span>
    </div>
  );
});

const EndedBar = view(() => {
  const { chat, strings, agentName, focusComposer } = usePanel();
  const session = chat.session.value;
  const by = session.status === 'ended' ? session.by : null;
  const sentence = {
    user: strings.value.endedByUser,
    agent: fill(strings.value.endedByAgent, { name: agentName.value }),
    inactivity: strings.value.endedByInactivity,
    platform: strings.value.ended,
    expired: strings.value.failedExpired,
  }[by ?? 'expired'];
  const start = () => {
    void chat.newChat().then(focusComposer);
  };
  return (
    <footer class="footer ended">
      <p dir="auto">{sentence}</p>
      <button type="button" class="button primary" onClick={start}>
        {strings.value.newChat}
      </button>
    </footer>
  );
});
