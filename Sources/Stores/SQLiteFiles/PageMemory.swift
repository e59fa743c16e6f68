/// The memory that a connection may use for a database's pages.
public struct PageMemory: Hashable, Sendable {
  /// The size of the page cache in KiB for a connection that changes rows; other connections use a
  /// quarter of this size.
  let cachedKibibytes: Int
  /// The number of bytes of the file that are mapped into memory.
  let mappedBytes: Int

  /// The largest useful memory, 192 MiB; a connection would not use more.
  public static let standard = PageMemory(bytes: 192 << 20)

  /// Divides a number of bytes: a third for the page cache, two thirds for mapped pages.
  public init(bytes: Int) {
    cachedKibibytes = min(64000, max(2048, (bytes / 3) >> 10))
    mappedBytes = min(128 << 20, max(0, bytes / 3 * 2))
  }
}
