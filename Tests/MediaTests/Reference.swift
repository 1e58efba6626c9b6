import CFFmpeg
import Glibc
import Media
import MediaModel

@testable import struct Media.Decoder
@testable import struct Media.Frame
@testable import struct Media.Packet
@testable import enum Media.Scaler
