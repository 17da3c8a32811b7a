import {
  createElement,
  type ForwardedRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type RefAttributes,
  useEffect,
  useRef,
} from 'react';
import {
  type ComponentWidget,
  createComponentWidget,
  type NatterWidget,
  type WidgetEventName,
  type WidgetEvents,
  type WidgetOptions,
  writeOptions,
} from '../embed/index.ts';

/** `onMessage`, `onOpen` and so on: a handler for every event of the widget. */
export type WidgetHandlers = {
  readonly [Name in WidgetEventName as `on${Capitalize<Name>}`]?: (value: WidgetEvents[Name]) => void;
};

/** The widget's options and a handler for each of its events. */
export type NatterChatProps = WidgetOptions & WidgetHandlers;

type Handlers = Readonly<Record<string, ((value: unknown) => void) | undefined>>;

function hand(ref: ForwardedRef<NatterWidget>, widget: NatterWidget | null): void {
  if (typeof ref === 'function') ref(widget);
  else if (ref) ref.current = widget;
}

/**
 * The widget as a React component. It renders nothing in its own place, because the widget is at the edge of the
 * window; with `renderMode="inline"` it renders an element with the chat inside. Changed options apply in place, and
 * handlers may change at any time. Failures inside are reported as errors of the page and leave the tree as it is. The
 * ref holds the widget's commands; `null` on a server, and before the component is on the page.
 *
 * @example
 * <NatterChat endpoint="https://chat.example.com" agentName="Ada" onMessage={({ text }) => track(text)} />
 */
export const NatterChat: ForwardRefExoticComponent<NatterChatProps & RefAttributes<NatterWidget>> =
  forwardRef(function NatterChat(props, ref) {
    const handlers = useRef<Handlers>({});
    // Handlers are the functions among the properties, each called with the value of its event.
    handlers.current = props as unknown as Handlers;
    const current = useRef<ComponentWidget | null>(null);
    const container = useRef<HTMLDivElement>(null);
    // Options are compared as data, because an app creates its objects and lists again in every render.
    const options = writeOptions({ ...props });
    const latest = useRef(options);
    latest.current = options;
    useEffect(() => {
      const own = createComponentWidget(
        latest.current,
        () => container.current,
        (name, value) => handlers.current[`on${name.charAt(0).toUpperCase()}${name.slice(1)}`]?.(value),
      );
      current.current = own;
      return () => {
        current.current = null;
        own.destroy();
      };
    }, []);
    useEffect(() => current.current?.follow(options), [options]);
    // A separate effect, because a function that is created in every render is a new ref each time.
    useEffect(() => {
      hand(ref, current.current?.widget ?? null);
      return () => hand(ref, null);
    }, [ref]);
    return props.renderMode === 'inline' ? createElement('div', { ref: container }) : null;
  });
