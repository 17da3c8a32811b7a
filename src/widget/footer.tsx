import { Composer } from './composer.tsx';
import { usePanel } from './panel-model.ts';
import { fill } from './strings/fill.ts';
import { type View, view } from './view/index.ts';

/** Small print up to this length fits below the composer; a longer one stands before the first message. */
export const SHORT_DISCLAIMER_CHARACTERS = 110;

/** The composer, or what takes its place. */
export const Footer: View = view(() => {
  const { isOver, overlay, options, extras } = usePanel();
  const { disclaimer = '' } = options.value;
  const code = extras.code.value;
  if (isOver.value) return <EndedBar />;
  return (
    <footer class="footer">
      {overlay.value === 'confirm_end' && code ? <code.ConfirmEnd /> : <Composer />}
      {disclaimer && disclaimer.length <= SHORT_DISCLAIMER_CHARACTERS && (
        <p class="disclaimer" dir="auto">
          {disclaimer}
        </p>
      )}
    </footer>
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
      <p>{sentence}</p>
      <button type="button" class="button primary" onClick={start}>
        {strings.value.newChat}
      </button>
    </footer>
  );
});
