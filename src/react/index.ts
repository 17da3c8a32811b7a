import {
  type ForwardedRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type PropsWithChildren,
  type RefAttributes,
  useEffect,
  useRef,
} from 'react';
import {
  EVENT_NAMES,
  mount,
  type NatterWidget,
  type WidgetEventName,
  type WidgetEvents,
  type WidgetOptions,
} from '../embed/index.ts';

/** `onMessage`, `onOpen` and so on: a handler for every event of the widget. */
export type WidgetHandlers = {
  readonly [Name in WidgetEventName as `on${Capitalize<Name>}`]?: (value: WidgetEvents[Name]) => void;
};

/** The widget's options and a handler for each of its events. */
export type NatterChatProps = WidgetOptions & WidgetHandlers;

type Handlers = Readonly<Record<string, ((value: unknown) => void) | undefined>>;

/** What `mount` takes: everything but the handlers, and children, for which there is no place and which are no data. */
function optionsOf({ children: _, ...props }: PropsWithChildren<NatterChatProps>): WidgetOptions {
  // The properties are options and handlers, and handlers are functions.
  return Object.fromEntries(
    Object.entries(props).filter(([, value]) => typeof value !== 'function'),
  ) as unknown as WidgetOptions;
}

function hand(ref: ForwardedRef<NatterWidget>, widget: NatterWidget | null): void {
  if (typeof ref === 'function') ref(widget);
  else if (ref) ref.current = widget;
}

/**
 * The widget as a React component. It draws nothing in its own place: the widget stands at the edge of the window.
 * An option that changes sets the widget up anew, and the conversation goes on; handlers may change at any time.
 * The ref holds the widget's commands, null on a server and before the component is on the page.
 *
 * @example
 * <NatterChat endpoint="https://chat.example.com" agentName="Ada" onMessage={({ text }) => track(text)} />
 */
export const NatterChat: ForwardRefExoticComponent<NatterChatProps & RefAttributes<NatterWidget>> =
  forwardRef(function NatterChat(props, ref) {
    const handlers = useRef<Handlers>({});
    // Handlers are the functions among the properties, each called with the value of its event.
    handlers.current = props as unknown as Handlers;
    const current = useRef<NatterWidget>(null);
    // Options are data, and equal ones the same widget: an app makes its objects and lists anew at every render.
    const key = JSON.stringify(optionsOf(props));
    useEffect(() => {
      const widget = mount(JSON.parse(key) as WidgetOptions);
      for (const name of EVENT_NAMES) {
        const handler = `on${name.charAt(0).toUpperCase()}${name.slice(1)}`;
        widget.on(name, (value) => handlers.current[handler]?.(value));
      }
      current.current = widget;
      return () => {
        current.current = null;
        void widget.destroy();
      };
    }, [key]);
    // Apart from the widget's life: a function that is made anew at every render is a new ref each time.
    // biome-ignore lint/correctness/useExhaustiveDependencies: another widget is handed over as well
    useEffect(() => {
      hand(ref, current.current);
      return () => hand(ref, null);
    }, [key, ref]);
    return null;
  });
