import { NatterChat, type NatterChatExposed } from 'natter/vue';
import { type Component, defineComponent, h, ref } from 'vue';

/** A page with the widget, a button that opens it, and the latest answer. */
export const App: Component<{ endpoint: string }> = defineComponent({
  props: { endpoint: { type: String, required: true } },
  setup(props) {
    const chat = ref<NatterChatExposed | null>(null);
    const answer = ref('');
    const agentName = ref('Ada');
    const rename = (): void => {
      agentName.value = 'Grace';
    };
    return () =>
      h('main', [
        h('h1', 'Natter in a Vue app'),
        h('button', { type: 'button', onClick: () => chat.value?.widget?.toggle() }, 'Talk to us'),
        h('button', { type: 'button', onClick: rename }, 'Rename the agent'),
        h('p', { id: 'answer' }, answer.value),
        h(NatterChat, {
          ref: chat,
          endpoint: props.endpoint,
          agentName: agentName.value,
          onMessage: ({ text }: { text: string }) => {
            answer.value = text;
          },
        }),
      ]);
  },
});
