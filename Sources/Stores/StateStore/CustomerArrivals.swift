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
      writer.write(
        StoredArrival(customer: key.customer, app: key.app, source: key.source, arrival: arrival))
    }
    return writer.bytes
  }
}

/// What a customer of a file is known from.
private enum ArrivalSource: UInt8 {
  case record, report, sandbox
}

/// A customer of a file.
private struct StoredArrival: BodyValue {
  var customer: CustomerID?
  var app: BundleID?
  var source: ArrivalSource
  var arrival: CustomerArrival

  static var blank: StoredArrival {
    StoredArrival(
      source: .record, arrival: CustomerArrival(on: CivilDay(daysSinceEpoch: 0), in: nil))
  }

  mutating func coded(by coder: inout some BodyCoder) {
    coder.code(&customer)
    let flags = coder.flags(
      Flags(app != nil, arrival.storefront != nil, source == .report, source == .sandbox))
    source = flags[2] ? .report : flags[3] ? .sandbox : .record
    coder.code(&app, if: flags[0])
    var (day, storefront) = (arrival.day.daysSinceEpoch, arrival.storefront)
    var daysUntilPlaced = arrival.daysUntilPlaced
    coder.code(&day)
    coder.code(&storefront, if: flags[1])
    if flags[1] { coder.code(&daysUntilPlaced) }
    arrival = CustomerArrival(
      on: CivilDay(daysSinceEpoch: day), placedAfter: daysUntilPlaced, in: storefront)
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
          guard
            var reader = unsafe BodyReader(
              bytes.assumingMemoryBound(to: UInt8.self), in: texts.stored)
          else { return false }
          while !reader.isAtEnd, !reader.isDamaged {
            let row: StoredArrival = reader.value()
            guard let customer = row.customer, apps.isEmpty || row.app.map(apps.contains) ?? true
            else { continue }
            let place = Int(customer.symbol.rawValue)
            sources[place] |= 1 << row.source.rawValue
            if row.source == .sandbox { continue }
            if found[place] == nil {
              found[place] = row.arrival
            } else {
              found[place]?.add(row.arrival)
            }
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
