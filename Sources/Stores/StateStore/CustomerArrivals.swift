internal import CivilTime
public import Diagnostics
internal import GRDB
internal import SQLiteFiles
public import PurchaseModel

/// The customers in one file, each with the first day of its records and price reports there.
///
/// They are stored in `file_keys.customers`. Most of these customers never buy anything, so the
/// facts do not contain them. Records whose only customer id is an `appAccountToken` are left out.
struct FileArrivals {
  private struct Key: Hashable {
    var customer: CustomerID
    var app: BundleID?
    var source: ArrivalSource
  }

  private var found: [Key: CustomerArrival] = [:]

  /// Collects the customers of records and price reports.
  init(_ content: Observations) {
    for record in content.records where !record.isAccountToken {
      add(
        record.customer, record.bundle, record.isSandbox ? .sandbox : .record, record.snapshotAt,
        record.storefront)
    }
    for report in content.reports {
      add(report.customer, report.bundle, .report, report.reportedAt, report.storefront)
    }
  }

  private mutating func add(
    _ customer: CustomerID?, _ app: BundleID?, _ source: ArrivalSource, _ time: Instant,
    _ storefront: Storefront?
  ) {
    guard let customer else { return }
    let arrival = CustomerArrival(on: time.day, in: storefront)
    let key = Key(customer: customer, app: app, source: source)
    if found[key] == nil { found[key] = arrival } else { found[key]?.add(arrival) }
  }

  /// Encodes the customers, sorted by the number of the customer id in state.db.
  func bytes(_ numbers: SymbolNumbers) -> [UInt8] {
    var writer = BodyWriter(numbers: numbers)
    let ordered = found.sorted { left, right in
      func order(_ key: Key) -> (UInt32, UInt32, UInt8) {
        (
          numbers.customer(key.customer.symbol), key.app.map { numbers.other($0.symbol) } ?? 0,
          key.source.rawValue
        )
      }
      return order(left.key) < order(right.key)
    }
    for (key, arrival) in ordered {
      writer.customer(key.customer)
      writer.flags(
        Flags(
          key.app != nil, arrival.storefront != nil, key.source == .report, key.source == .sandbox))
      if let app = key.app { writer.symbol(app.symbol) }
      writer.signed(arrival.day.daysSinceEpoch)
      guard let storefront = arrival.storefront else { continue }
      writer.number(UInt64(storefront.rawValue))
      writer.signed(arrival.daysUntilPlaced)
    }
    return writer.bytes
  }
}

/// What a customer of a file is known from.
private enum ArrivalSource: UInt8 {
  case record, report, sandbox
}

extension BodyReader {
  /// Reads a customer of a file: customer id, app, source and first day.
  fileprivate mutating func arrival(in symbols: StoredSymbols) -> (
    customer: CustomerID?, app: BundleID?, source: ArrivalSource, arrival: CustomerArrival
  ) {
    let customer = customer(in: symbols)
    var flags = flags()
    let (hasApp, isPlaced) = (flags.next(), flags.next())
    let (isReport, isSandbox) = (flags.next(), flags.next())
    let source: ArrivalSource = isReport ? .report : isSandbox ? .sandbox : .record
    let app = hasApp ? BundleID(symbol(in: symbols)) : nil
    let day = CivilDay(daysSinceEpoch: signed())
    guard isPlaced else {
      return (customer, app, source, CustomerArrival(on: day, in: nil))
    }
    let place = Storefront(rawValue: code())
    return (customer, app, source, CustomerArrival(on: day, placedAfter: signed(), in: place))
  }
}

extension StateDatabase {
  /// Reads the day on which each customer first appears in a used file.
  ///
  /// Testers are left out: customers with records of the sandbox alone, and their price reports.
  ///
  /// - Parameters:
  ///   - texts: All texts of state.db, read since its last change.
  ///   - apps: Only customers of these apps are included; empty for all apps. Customers without an
  ///     app are always included.
  /// - Returns: The first day and storefront of each customer, indexed by the symbol of the
  ///   customer id. `nil` for a symbol without a customer in these files.
  public func arrivals(_ texts: StateTexts, apps: Set<BundleID>) throws(RunFailure)
    -> [CustomerArrival?]
  {
    let path = file.path
    return try file.read { db in
      var found = [CustomerArrival?](repeating: nil, count: texts.set.symbols.count)
      // For each symbol, the sources of its customer as bits.
      var sources = [UInt8](repeating: 0, count: texts.set.symbols.count)
      let statement = try RawStatement(
        "read customers",
        """
        SELECT customers FROM file_keys JOIN input_file USING (file_id) WHERE status = 'used'
        """, on: db)
      while try statement.next() {
        let isDamaged = unsafe statement.withBytes(0) { bytes in
          guard var reader = unsafe BodyReader(bytes.assumingMemoryBound(to: UInt8.self))
          else { return false }
          while !reader.isAtEnd, !reader.isDamaged {
            let (customer, app, source, arrival) = reader.arrival(in: texts.stored)
            guard let customer, apps.isEmpty || app.map(apps.contains) ?? true else { continue }
            let place = Int(customer.symbol.rawValue)
            sources[place] |= 1 << source.rawValue
            if source == .sandbox { continue }
            if found[place] == nil { found[place] = arrival } else { found[place]?.add(arrival) }
          }
          return reader.isDamaged
        }
        if isDamaged {
          throw RunFailure.damaged("the customers of a file", path: path)
        }
      }
      let (record, sandbox) = (
        1 << ArrivalSource.record.rawValue, 1 << ArrivalSource.sandbox.rawValue
      )
      for place in found.indices where Int(sources[place]) & (record | sandbox) == sandbox {
        found[place] = nil
      }
      return found
    }
  }
}
