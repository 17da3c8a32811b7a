import { ForwardRefExoticComponent, RefAttributes } from "react";
import { NatterWidget, WidgetEventName, WidgetEvents, WidgetOptions } from "natter";
type WidgetHandlers = { readonly [Name in WidgetEventName as `on${Capitalize<Name>}`]?: (value: WidgetEvents[Name]) => void; };
type NatterChatProps = WidgetOptions & WidgetHandlers;
declare const NatterChat: ForwardRefExoticComponent<NatterChatProps & RefAttributes<NatterWidget>>;
export { NatterChat, NatterChatProps, WidgetHandlers };
