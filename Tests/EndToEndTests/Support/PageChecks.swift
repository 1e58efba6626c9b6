/// What assistive technology and weak eyes need of a page, as scripts that run in it.
enum PageChecks {
    /// An array of sentences, each a thing that is wrong with what the page shows now.
    static let faults = """
        (() => {
          const faults = [];
          const isShown = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
          const say = (node, words) =>
            faults.push(`${node.tagName.toLowerCase()}#${node.id}.${node.getAttribute("class")}: ${words}`);
          const wordsOf = (ids) =>
            (ids ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
          const nameOf = (node) =>
            [node.getAttribute("aria-label"), wordsOf(node.getAttribute("aria-labelledby")), node.innerText,
              node.alt, ...[...(node.labels ?? [])].map((label) => label.textContent), node.title]
              .find((words) => words?.trim());
          const open = document.querySelector("dialog[open]") ?? document.body;
          const controls = "a[href], button, input, select, textarea, video, [role=slider], [role=grid], [role=gridcell], dialog";
          for (const node of open.querySelectorAll(controls)) {
            if (isShown(node) && !node.closest("[aria-hidden=true]") && !nameOf(node)) say(node, "has no name");
          }
          for (const node of open.querySelectorAll("img")) if (!node.hasAttribute("alt")) say(node, "has no alt");
          if (document.querySelectorAll("main").length !== 1) faults.push("there is not one main");
          if (document.querySelectorAll("h1").length !== 1) faults.push("there is not one h1");
          if (!document.documentElement.lang) faults.push("the language is not named");
          const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
          for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`#${id} is there twice`);
          if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than its window");

          const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
          const rgba = (colour) => {
            pen.clearRect(0, 0, 1, 1);
            pen.fillStyle = colour;
            pen.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
            return [r, g, b, a / 255];
          };
          const over = ([r, g, b, a], [R, G, B, A]) =>
            [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), a + A * (1 - a)];
          // Words on pictures cannot be judged by colours alone; they stand on grounds of their own.
          const ground = (node) => {
            let colour = [0, 0, 0, 0];
            for (let at = node; at && colour[3] < 0.999; at = at.parentElement) {
              const style = getComputedStyle(at);
              if (style.backgroundImage !== "none" && !at.matches("body, html")) return null;
              colour = over(colour, rgba(style.backgroundColor));
            }
            return over(colour, rgba(getComputedStyle(document.documentElement).backgroundColor));
          };
          const light = ([r, g, b]) => {
            const [x, y, z] = [r, g, b].map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
            return 0.2126 * x + 0.7152 * y + 0.0722 * z;
          };
          const walk = document.createTreeWalker(open, NodeFilter.SHOW_TEXT);
          for (let text = walk.nextNode(); text; text = walk.nextNode()) {
            const node = text.parentElement;
            if (!text.data.trim() || !isShown(node) || node.closest(".unseen, .tile, :disabled, script, svg, .skip")) continue;
            const style = getComputedStyle(node);
            const below = ground(node);
            if (!below || style.opacity !== "1") continue;
            const [a, b] = [light(over(rgba(style.color), below)), light(below)].sort((a, b) => b - a);
            const size = parseFloat(style.fontSize);
            const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
            const ratio = (a + 0.05) / (b + 0.05);
            if (ratio < least) say(node, `contrast ${ratio.toFixed(2)} of "${text.data.trim().slice(0, 30)}"`);
          }
          return faults;
        })()
        """

    /// What has the focus: its name, and whether it is to be seen that it has it.
    static let focus = """
        (() => {
          const node = document.activeElement;
          const rings = [node, node.closest("label"), document.getElementById(node.getAttribute("aria-activedescendant"))];
          const isRinged = rings.some((ring) => ring && [null, "::after"].some((part) => {
            const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(ring, part);
            return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
          }));
          const name = node.getAttribute("aria-label") ?? node.labels?.[0]?.innerText ?? node.innerText ?? "";
          return { place: `${node.tagName} ${node.id} ${name.trim().split("\\n")[0]}`, name: name.trim(),
            isVisible: node.matches(":focus-visible") && isRinged };
        })()
        """

    /// What `focus` says.
    struct Focus: Decodable {
        let place: String
        let name: String
        let isVisible: Bool
    }
}
