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

/** What a template ref holds: the widget's commands, null before the component is on the page. */
export interface NatterChatExposed {
  readonly widget: NatterWidget | null;
}

/**
 * The widget as a Vue component. It draws nothing in its own place, as the widget stands at the edge of the window; with
 * `render-mode="inline"` it draws an element there with the chat in it. Options that change are followed in place. What fails inside
 * is reported as an error of the page.
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
    // Options are data, and equal ones no change: a template makes its objects and lists anew each time it is drawn, and an
    // object that Vue observes changes in place. Options that are absent get their default at `mount`.
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
    // After the element of an inline chat has come or gone.
    watch(written, (next) => own?.follow(next), { flush: 'post' });
    onBeforeUnmount(() => {
      own?.destroy();
      widget.value = null;
    });
    expose({ widget });
    return () => (props.renderMode === 'inline' ? h('div', { ref: container }) : null);
  },
}) as unknown as DefineSetupFnComponent<WidgetOptions, NatterChatEmits>;
