/// The memory that a connection may hold of a database's pages.
public struct PageMemory: Hashable, Sendable {
  /// For a connection that jumps about; one that goes through takes a quarter.
  let cachedKibibytes: Int
  /// Of the file, looked at in place.
  let mappedBytes: Int

  /// The most that is of use.
  public static let standard = PageMemory(bytes: 192 << 20)

  /// At most a number of bytes: a third for copies of pages, two thirds for pages in place.
  public init(bytes: Int) {
    cachedKibibytes = min(64000, max(2048, (bytes / 3) >> 10))
    mappedBytes = min(128 << 20, max(0, bytes / 3 * 2))
  }
}
