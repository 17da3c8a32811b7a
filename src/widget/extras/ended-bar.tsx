import { usePanel } from '../panel-model.ts';
import { fill } from '../strings/fill.ts';
import { type View, view } from '../view/index.ts';

/** What stands in the composer's place when the conversation is over: why, and the way to another one. */
export const EndedBar: View = view(() => {
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
