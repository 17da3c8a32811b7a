import { DefineSetupFnComponent } from "vue";
import { NatterWidget, WidgetEventName, WidgetEvents, WidgetOptions } from "natter";
type NatterChatEmits = { [Name in WidgetEventName]: (value: WidgetEvents[Name]) => void; };
interface NatterChatExposed {
  readonly widget: NatterWidget | null;
}
declare const NatterChat: DefineSetupFnComponent<WidgetOptions, NatterChatEmits>;
export { NatterChat, NatterChatEmits, NatterChatExposed };
