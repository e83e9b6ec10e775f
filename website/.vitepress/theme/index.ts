import DefaultTheme from "vitepress/theme-without-fonts";
import { useData } from "vitepress";
import { watch } from "vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  setup(): void {
    // The pages of `deno doc` remember the reader's choice of dark or light by this name.
    const { isDark } = useData();
    if (typeof localStorage === "undefined") return;
    watch(isDark, (dark) => localStorage.setItem("theme", dark ? "dark" : "light"), { immediate: true });
  },
};
