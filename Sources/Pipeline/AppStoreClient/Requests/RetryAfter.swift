internal import CivilTime

/// The header `Retry-After`, in all the ways that Apple's services write it.
enum RetryAfter {
  /// The time to wait, from the header `Retry-After`.
  ///
  /// The App Store Server API writes a moment in milliseconds since 1970, others seconds:
  /// `1714557660000` at 2024-05-01T10:00:00Z → 60 s; `120` → 120 s; `soon` → `nil`.
  ///
  /// - Parameters:
  ///   - text: The header; `nil` if there is none.
  ///   - now: The wall clock's moment.
  /// - Returns: The wait, 0 for a moment that has passed; `nil` if the header is not a number.
  static func wait(_ text: String?, now: Instant) -> Milliseconds? {
    guard let text, let number = Int64(text), number >= 0 else { return nil }
    // A longer wait would exceed thirty years.
    guard number >= 1_000_000_000 else { return .seconds(number) }
    let moment = number >= 100_000_000_000 ? number : number * 1000
    return Milliseconds(max(0, Instant(milliseconds: moment).since(now).rawValue))
  }
}
