import { Composer } from './composer.tsx';
import { usePanel } from './panel-model.ts';
import { fill } from './strings/fill.ts';
import { type View, view } from './view/index.ts';

/** The composer, or what takes its place. */
export const Footer: View = view(() => {
  const { isOver, overlay, extras, terms } = usePanel();
  const code = extras.code.value;
  if (isOver.value) return <EndedBar />;
  return (
    <footer class="footer">
      {overlay.value === 'confirm_end' && code ? <code.ConfirmEnd /> : <Composer />}
      {terms && <terms.SmallPrint />}
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
