import { useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { type Component, defineComponent, h, onMounted, watch } from 'vue';
import picture from '../../images/widget.png';
import './style.css';

const WIDTH = 1920;
const HEIGHT = 1200;

/** VitePress' own theme in our colours, with a picture of the widget on the first page. */
const Layout: Component = defineComponent(() => {
  const { frontmatter } = useData();
  onMounted(() => {
    const content = document.querySelector('#VPContent');
    // Other pages have a main element inside.
    const nameMain = (layout: unknown): void =>
      layout === 'home' ? content?.setAttribute('role', 'main') : content?.removeAttribute('role');
    watch(() => frontmatter.value['layout'], nameMain, { immediate: true });
  });
  return () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-image': () =>
        h('img', {
          class: 'hero-picture',
          src: picture,
          width: WIDTH,
          height: HEIGHT,
          alt: 'The chat open on a ferry company’s site, with a table in an answer',
        }),
    });
});

export default { extends: DefaultTheme, Layout };
