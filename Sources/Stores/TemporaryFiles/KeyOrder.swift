internal import Glibc

/// The order of keys and values in a sort.
public enum KeyOrder {
  /// Compares two byte strings; negative if the first precedes the second, 0 if they are equal.
  @unsafe public static func compare(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int {
    let common = min(left.count, right.count)
    if common > 0, let first = left.baseAddress, let second = right.baseAddress {
      let order = unsafe memcmp(first, second, common)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }
}
