internal import CivilTime
internal import Diagnostics

extension SettingsMapping {
  /// Reads the time zone under a key, such as `Europe/Berlin`; `nil` without the key.
  func timeZone(_ key: String) throws(RunFailure) -> TimeZoneRules? {
    try value(
      key, expected: "the name of a zone in /usr/share/zoneinfo, such as Europe/Berlin"
    ) { name in
      guard !name.split(separator: "/").contains(".."), !name.hasPrefix("/"),
        let bytes = try? TextFile.bytes(
          "/usr/share/zoneinfo/\(name)", what: "the time zone", limit: 1 << 20)
      else { return nil }
      return TimeZoneRules(name: name, bytes: bytes)
    }
  }
}
