import {
  type DefineSetupFnComponent,
  defineComponent,
  onBeforeUnmount,
  onMounted,
  shallowRef,
  watch,
} from 'vue';
import {
  EVENT_NAMES,
  mount,
  type NatterWidget,
  type WidgetEventName,
  type WidgetEvents,
  type WidgetOptions,
} from '../embed/index.ts';

const text = { type: String, default: undefined };
/** Without a default Vue would take a switch that is not there for one that is off. */
const flag = { type: Boolean, default: undefined };

/** The options of `mount`: Vue has to know them by name. */
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
  showLauncher: flag,
  showHeader: flag,
  platform: text,
  title: text,
  welcome: text,
  disclaimer: text,
  policyLinks: { type: [Array, String], default: undefined },
  consent: flag,
  localized: { type: [Object, String], default: undefined },
  contactUrl: text,
  allowInsecure: flag,
} satisfies Readonly<Record<keyof WidgetOptions, object>>;

/** The events of the component: those of the widget. */
export type NatterChatEmits = { [Name in WidgetEventName]: (value: WidgetEvents[Name]) => void };

/** What a template ref holds: the widget's commands, null before the component is on the page. */
export interface NatterChatExposed {
  readonly widget: NatterWidget | null;
}

/**
 * The widget as a Vue component. It draws nothing in its own place: the widget stands at the edge of the window.
 * An option that changes sets the widget up anew, and the conversation goes on.
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
    const stop = (): void => {
      void widget.value?.destroy();
      widget.value = null;
    };
    // Options are data, and equal ones the same widget: a template makes its objects and lists anew each time it is
    // drawn, and an object that Vue observes changes in place. What is not given drops out, and has its default at
    // `mount`.
    const given = (): string => JSON.stringify(props);
    const start = (): void => {
      stop();
      // `OPTIONS` has the names from there.
      const mounted = mount(JSON.parse(given()) as WidgetOptions);
      for (const name of EVENT_NAMES) mounted.on(name, (value: unknown) => emit(name, value));
      widget.value = mounted;
    };
    onMounted(start);
    watch(given, start);
    onBeforeUnmount(stop);
    expose({ widget });
    return () => null;
  },
}) as unknown as DefineSetupFnComponent<WidgetOptions, NatterChatEmits>;
