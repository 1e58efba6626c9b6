import Platform
import TestSupport
import Testing

@Suite struct ArgumentTests {
    /// Preloaded libraries often set a variable before `main`, which moves the environment away from the arguments.
    @Test func aPreloadedLibraryThatSetsAVariableLeavesTheArgumentsAsTheyAre() async throws {
        try await ProgramFixture.local(["a.jpg": "\u{1}"]) { fixture in
            let source = "__attribute__((constructor)) static void begin(void) { setenv(\"PRELOADED\", \"1\", 1); }"
            let process = try fixture.shell(
                """
                library=$HOME/moving.so
                printf '%s\\n' '#include <stdlib.h>' '\(source)' > "$HOME/moving.c"
                clang -shared -fPIC -o "$library" "$HOME/moving.c"
                export LD_PRELOAD=$library
                "$AGENT" status --check $COMMON
                echo "status --check: $?"
                "$AGENT" nonsense
                echo "nonsense: $?"
                """)
            let end = try await process.end()
            #expect(end.results.contains("status --check: 5"), "\(end)")
            #expect(end.results.contains("nonsense: 2"), "\(end)")
        }
    }
}
