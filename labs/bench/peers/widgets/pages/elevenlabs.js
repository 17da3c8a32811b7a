import '@elevenlabs/convai-widget-embed';

// For text alone, with its configuration in the page: nothing is fetched before the first question.
const chat = document.createElement('elevenlabs-convai');
chat.setAttribute('signed-url', `ws://${location.host}/answers/elevenlabs?agent_id=bench`);
chat.setAttribute(
  'override-config',
  JSON.stringify({
    variant: 'full',
    placement: 'bottom-right',
    avatar: { type: 'orb', color_1: '#2792dc', color_2: '#9ce6e6' },
    feedback_mode: 'none',
    language: 'en',
    supported_language_overrides: [],
    default_expanded: false,
    always_expanded: false,
    text_only: true,
    supports_text_only: true,
    transcript_enabled: true,
    text_input_enabled: true,
    mic_muting_enabled: false,
    first_message: 'Hello',
    terms_html: null,
    text_contents: {},
    language_presets: {},
  }),
);
document.body.append(chat);
