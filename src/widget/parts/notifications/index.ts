// Page title and sound for new messages. Loaded when there is a conversation and the visitor is elsewhere.
export { forgetSound, soundSettingOf, toggleSound } from './sound.ts';
export { startNotifications } from './start-notifications.ts';
