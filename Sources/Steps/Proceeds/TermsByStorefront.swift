internal import CivilTime
internal import PurchaseModel

/// The catalogue's commissions or taxes, by storefront and first day.
///
/// The entries of the storefront that was looked up last are cached, because consecutive rows
/// usually have the same storefront.
struct TermsByStorefront<Entry: Sendable>: Sendable {
  private typealias Dated = (from: CivilDay, entry: Entry)

  private var entries: [Storefront?: [Dated]] = [:]
  private var last: (storefront: Storefront?, own: [Dated], others: [Dated])

  /// Sorts the entries of each storefront by first day.
  ///
  /// No two entries may have the same storefront and first day; the catalogue rejects such entries.
  init(_ list: [(storefront: Storefront?, from: CivilDay, entry: Entry)]) {
    for item in list { entries[item.storefront, default: []].append((item.from, item.entry)) }
    for storefront in entries.keys {
      entries[storefront]?.sort { $0.from < $1.from }
    }
    last = (nil, [], entries[nil] ?? [])
  }

  /// The entry in force for a storefront on a day; `nil` if there is none.
  ///
  /// If the storefront has no entry for the day, the entry without a storefront is used.
  mutating func entry(for storefront: Storefront?, on day: CivilDay) -> Entry? {
    if storefront != last.storefront {
      last.storefront = storefront
      last.own = storefront.flatMap { entries[$0] } ?? []
    }
    return Self.newest(last.own, on: day) ?? Self.newest(last.others, on: day)
  }

  private static func newest(_ list: [Dated], on day: CivilDay) -> Entry? {
    list.last { $0.from <= day }?.entry
  }
}
