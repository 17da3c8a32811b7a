import {
  type DefineSetupFnComponent,
  defineComponent,
  h,
  onBeforeUnmount,
  onMounted,
  shallowRef,
  watch,
} from 'vue';
import {
  type ComponentWidget,
  createComponentWidget,
  EVENT_NAMES,
  type NatterWidget,
  type WidgetEventName,
  type WidgetEvents,
  type WidgetOptions,
  writeOptions,
} from '../embed/index.ts';

const text = { type: String, default: undefined };
/** Without a default, Vue would set a missing switch to false. */
const flag = { type: Boolean, default: undefined };

/** The options of `mount`, because Vue needs their names. */
const OPTIONS = {
  endpoint: { type: String, required: true },
  connector: text,
  agentName: text,
  avatarUrl: text,
  imageHosts: { type: [Array, String], default: undefined },
  theme: text,
  accent: text,
  position: text,
  language: text,
  launcherLabel: text,
  strings: { type: Object, default: undefined },
  renderMode: text,
  autoOpen: flag,
  preload: text,
  showLauncher: flag,
  showHeader: flag,
  platform: text,
  title: text,
  welcome: text,
  disclaimer: text,
  policyLinks: { type: [Array, String], default: undefined },
  consent: flag,
  keepDraft: flag,
  localized: { type: [Object, String], default: undefined },
  hours: text,
  hoursTimeZone: text,
  outsideHours: text,
  proactive: { type: [Array, String], default: undefined },
  contactUrl: text,
  features: { type: [Array, String], default: undefined },
  allowInsecure: flag,
} satisfies Readonly<Record<keyof WidgetOptions, object>>;

/** The events of the component: the same as the widget's. */
export type NatterChatEmits = { [Name in WidgetEventName]: (value: WidgetEvents[Name]) => void };

/** Value of a template ref: the widget's commands, `null` before the component is on the page. */
export interface NatterChatExposed {
  readonly widget: NatterWidget | null;
}

/**
 * The widget as a Vue component. It renders nothing in its own place, because the widget is at the edge of the window;
 * with `render-mode="inline"` it renders an element with the chat inside. Changed options apply in place. Failures
 * inside are reported as errors of the page.
 *
 * @example
 * <NatterChat endpoint="https://chat.example.com" agent-name="Ada" @message="track" />
 */
export const NatterChat: DefineSetupFnComponent<WidgetOptions, NatterChatEmits> = defineComponent({
  name: 'NatterChat',
  props: OPTIONS,
  emits: [...EVENT_NAMES],
  setup(props, { emit, expose }) {
    const widget = shallowRef<NatterWidget | null>(null);
    const container = shallowRef<Element | null>(null);
    let own: ComponentWidget | undefined;
    // Options are compared as data: a template creates its objects and lists again in every render, and an object that
    // Vue observes changes in place. Missing options get their default at `mount`.
    const written = (): string => writeOptions(props);
    onMounted(() => {
      own = createComponentWidget(
        written(),
        () => container.value,
        // The events of the component.
        (name, value) => emit(name, value),
      );
      widget.value = own.widget;
    });
    // After the element of an inline chat was inserted or removed.
    watch(written, (next) => own?.follow(next), { flush: 'post' });
    onBeforeUnmount(() => {
      own?.destroy();
      widget.value = null;
    });
    expose({ widget });
    return () => (props.renderMode === 'inline' ? h('div', { ref: container }) : null);
  },
}) as unknown as DefineSetupFnComponent<WidgetOptions, NatterChatEmits>;
