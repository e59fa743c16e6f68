internal import FlyingFox
internal import FlyingSocks
internal import Foundation

/// A body that ends in the middle, or arrives byte by byte.
struct BrokenBytes: AsyncBufferedSequence {
  typealias Element = UInt8
  let bytes: [UInt8]
  let isDripping: Bool

  func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes[...], isDripping: isDripping) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var bytes: ArraySlice<UInt8>
    let isDripping: Bool

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
      guard isDripping else {
        guard bytes.count > 20 else { throw CancellationError() }
        defer { bytes = [] }
        return bytes.prefix(20)
      }
      try await Task.sleep(for: .milliseconds(200))
      defer { bytes = bytes.dropFirst() }
      return bytes.prefix(1)
    }
  }
}
