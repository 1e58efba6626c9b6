extension HTMLReport {
    /// The page's only style sheet; colours follow the reader's light or dark setting.
    static let style = """
        :root {
          --paper: #f6f6f3; --card: #fff; --ink: #1c1d1f; --soft: #6a6d72; --line: #e4e4df;
          --stored: #2f8f5b; --waiting: #c98a12; --failed: #c8402f; --unreadable: #8a4fbf; --accent: #2f6fb3;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #131416; --card: #1d1f22; --ink: #ececea; --soft: #9a9da3; --line: #2f3236;
            --stored: #4cb97d; --waiting: #e0a83a; --failed: #ee6a58; --unreadable: #b284e0; --accent: #6aa7e8;
          }
        }
        * { box-sizing: border-box; margin: 0; }
        body {
          background: var(--paper); color: var(--ink); line-height: 1.5;
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Hiragino Sans", "Noto Sans CJK JP", sans-serif;
        }
        main { max-width: 1040px; margin: 0 auto; padding: 32px 20px 48px; display: grid; gap: 20px; }
        section, .banner { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 20px 22px; min-width: 0; }
        header { display: flex; gap: 12px 16px; align-items: flex-start; justify-content: space-between; flex-wrap: wrap; }
        header div { flex: 1 1 420px; }
        h1 { font-size: 24px; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; text-wrap: pretty; }
        h2 { font-size: 15px; font-weight: 650; margin-bottom: 14px; display: flex; justify-content: space-between; gap: 12px; }
        .aside, .facts, .note, .more, footer { color: var(--soft); font-weight: 400; }
        .facts { margin-top: 6px; overflow-wrap: anywhere; }
        .dot { margin: 0 8px; }
        .state { border: 1px solid var(--line); background: var(--card); border-radius: 99px; padding: 4px 14px; font-size: 14px; }
        .state::before { content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 50%; margin-right: 8px; background: var(--soft); }
        .state.running::before { background: var(--stored); }
        .state.paused::before { background: var(--waiting); }
        .banner { border-color: var(--waiting); border-left-width: 5px; padding: 12px 18px; }
        code { font: 13px/1.4 ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", monospace; }
        .share { display: flex; align-items: baseline; gap: 14px; }
        .share strong { font-size: 44px; font-weight: 650; line-height: 1; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
        .share small { font-size: 22px; margin-left: 3px; color: var(--soft); font-weight: 500; }
        .share span { color: var(--soft); }
        .bar { display: block; width: 100%; height: 14px; margin: 16px 0 20px; border-radius: 7px; overflow: hidden; background: var(--line); }
        .bar rect { fill: var(--hue); }
        .stored { --hue: var(--stored); } .waiting { --hue: var(--waiting); }
        .failed { --hue: var(--failed); } .unreadable { --hue: var(--unreadable); }
        .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; }
        .tiles div { border-left: 3px solid var(--hue); padding-left: 12px; }
        .tiles .quiet { --hue: var(--line); color: var(--soft); }
        .tiles dt { font-size: 13px; color: var(--soft); }
        .tiles dd { font-size: 24px; font-weight: 600; line-height: 1.3; font-variant-numeric: tabular-nums; }
        .tiles .note { font-size: 13px; font-weight: 400; }
        .figures { margin-top: 18px; padding-top: 14px; border-top: 1px solid var(--line); display: grid; gap: 4px; font-size: 14px; }
        .figures div { display: flex; gap: 8px; }
        .figures dt { color: var(--soft); flex: 0 0 92px; }
        .figures dd span { display: inline-block; margin-right: 14px; }
        .figures b { font-weight: 600; font-variant-numeric: tabular-nums; }
        ul { list-style: none; padding: 0; }
        .causes { display: grid; grid-template-columns: auto 1fr; gap: 14px; }
        .causes li { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; gap: 14px; }
        .causes li + li { border-top: 1px solid var(--line); padding-top: 14px; }
        .causes div { min-width: 0; overflow-wrap: anywhere; }
        .count { min-width: 44px; height: 28px; padding: 0 10px; border-radius: 8px; background: var(--failed); color: var(--card); font-weight: 650; text-align: center; line-height: 28px; font-variant-numeric: tabular-nums; }
        .count.held { background: var(--waiting); }
        .causes code { color: var(--soft); }
        .next::before { content: "→ "; color: var(--soft); }
        .next { font-weight: 550; }
        .path { color: var(--soft); font-size: 13px; }
        .notes { display: grid; gap: 6px; }
        .notes li { padding-left: 14px; position: relative; overflow-wrap: anywhere; }
        .notes li::before { content: "·"; position: absolute; left: 2px; color: var(--soft); }
        table { width: 100%; border-collapse: collapse; }
        tr + tr > * { border-top: 1px solid var(--line); }
        th, td { padding: 9px 16px 9px 0; text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: anywhere; }
        th { font-weight: 600; }
        td:last-child { padding-right: 0; }
        .where { color: var(--soft); }
        .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
        .meter { width: 110px; vertical-align: middle; }
        .meter svg { display: block; width: 100%; height: 6px; border-radius: 3px; background: var(--line); overflow: hidden; }
        .meter rect { fill: var(--stored); }
        th .paused { color: var(--waiting); font-weight: 400; font-size: 13px; }
        .plot { overflow-x: auto; }
        .chart { display: block; width: 100%; min-width: 640px; height: auto; }
        .chart line { stroke: var(--line); }
        .chart text { fill: var(--soft); font-size: 12px; font-family: inherit; }
        .chart rect { fill: var(--accent); }
        .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(148px, 1fr)); gap: 16px 14px; }
        figure { min-width: 0; }
        .frame { position: relative; aspect-ratio: 1; border-radius: 8px; overflow: hidden; background: var(--paper); border: 1px solid var(--line); }
        .frame img { width: 100%; height: 100%; object-fit: cover; display: block; }
        .blank { position: absolute; inset: 0; display: grid; place-items: center; color: var(--soft); font-weight: 650; letter-spacing: .06em; }
        .length { position: absolute; right: 6px; bottom: 6px; background: rgb(0 0 0 / .65); color: #fff; border-radius: 4px; padding: 0 6px; font-size: 12px; font-variant-numeric: tabular-nums; }
        figcaption { margin-top: 6px; font-size: 13px; line-height: 1.35; }
        figcaption b { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; font-weight: 550; overflow-wrap: anywhere; }
        figcaption span { color: var(--soft); }
        figcaption span time { color: inherit; }
        footer { font-size: 13px; text-align: center; }
        @media (max-width: 620px) {
          main { padding: 20px 12px 32px; gap: 14px; }
          section { padding: 16px; }
          h1 { font-size: 21px; }
          .where, .meter { display: none; }
          .figures div { display: block; }
          .grid { grid-template-columns: repeat(auto-fill, minmax(104px, 1fr)); gap: 12px 10px; }
        }
        @media print { body { background: #fff; } section { break-inside: avoid; } }
        """
}
