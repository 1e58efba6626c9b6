import Platform
import Testing

@Suite struct HostTests {
    @Test func theProcessKnowsItself() throws {
        #expect(Host.cores >= 1)
        #expect(Host.processID > 1)
        #expect(Host.isRunning(Host.processID))
        #expect(!Host.isRunning(Int32.max))
        #expect(try FileFacts(of: Host.executable()).kind == .file)
        #expect(Host.homeDirectory?.isAbsolute == true)
        #expect(try #require(Host.residentBytes()) > 1 << 20)
        #expect(Host.residentBytes(of: Int32.max) == nil)
    }

    @Test func theEnvironmentIsRead() {
        #expect(Environment["PATH"] == Environment.all["PATH"])
        #expect(Environment["PATH"]?.isEmpty == false)
        #expect(Environment["GALLERY_SYNC_NO_SUCH_VARIABLE"] == nil)
    }
}
