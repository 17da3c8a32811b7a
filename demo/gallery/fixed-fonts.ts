// Typefaces that come with the tests, so that a picture looks the same on every machine.
import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import '@fontsource-variable/source-serif-4';
import '@fontsource-variable/vazirmatn';
import './fixed-fonts.css';
